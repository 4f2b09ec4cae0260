import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { leftQuery } from "@/api/fields";
import { useMay } from "@/api/session";
import { ErrorState } from "@/components/ErrorState";
import { Button } from "@/components/Button";
import { useProject } from "@/state/project";
import { shownName } from "@/components/shownName";
import { Finished } from "@/review/Finished";
import { KeySheet } from "@/review/keys/KeySheet";
import { type Group, groupKey } from "./queue";
import { ReviewDesk } from "@/review/ReviewDesk";
import { ReviewSkeleton } from "@/review/ReviewSkeleton";
import { useAhead } from "./useAhead";
import { useGroup } from "./useGroup";
import { useWalk, type Walk } from "./useWalk";

interface Props {
  groups: readonly Group[];
  /** Loads more of the queue, if there is more. */
  more: (() => void) | null;
  isMoreComing: boolean;
  /** The document, if only one is reviewed. */
  document: string | undefined;
  /** Refetch the whole queue. */
  restart: () => void;
}

/** Reviews one document after another until none is left. */
export function ReviewWalk({ groups, more, isMoreComing, document, restart }: Props) {
  const walk = useWalk(groups);
  const [help, setHelp] = useState(false);
  const { data: left } = useQuery(leftQuery(useProject()));
  useAhead(walk.next);
  const isShort = walk.next === null && more !== null;
  const askForMore = useEffectEvent(() => more?.());
  useEffect(() => {
    if (isShort) askForMore();
  }, [isShort]);
  if (walk.current === null) {
    if (isMoreComing) return <ReviewSkeleton />;
    const startAgain = () => {
      walk.startAgain();
      restart();
    };
    return <Finished document={document} left={left?.left ?? 0} startAgain={startAgain} undo={walk.undo} />;
  }
  return (
    <>
      <OneGroup key={groupKey(walk.current)} group={walk.current} walk={walk} isSingle={document !== undefined} help={() => setHelp(true)} />
      <KeySheet open={help} close={() => setHelp(false)} />
    </>
  );
}

function OneGroup({ group, walk, isSingle, help }: { group: Group; walk: Walk; isSingle: boolean; help: () => void }) {
  const loaded = useGroup(group);
  const mayWrite = useMay("write");
  if (loaded.error) {
    return (
      <>
        <ErrorState error={loaded.error} retry={loaded.retry} title={`“${shownName(group.filename)}” could not be loaded`} />
        <div className="flex justify-center">
          <Button onClick={walk.goOn}>Next document</Button>
        </div>
      </>
    );
  }
  if (loaded.data === null) return <ReviewSkeleton />;
  return (
    <ReviewDesk
      group={group}
      loaded={loaded.data}
      isSingle={isSingle}
      readOnly={!mayWrite}
      at={walk.path}
      go={walk.go}
      ways={{ goOn: walk.goOn, goBack: walk.goBack, undo: walk.undo, help }}
    />
  );
}
