import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Keyboard, SkipForward } from "lucide-react";
import { leftQuery } from "@/api/fields";
import { Button, IconButton } from "@/components/Button";
import { useProject } from "@/state/project";
import { shownName } from "@/components/shownName";
import { KeyCap } from "@/review/keys/KeyCap";
import type { Group } from "@/review/walk/queue";
import { SaveState } from "@/review/outbox/SaveState";
import type { ReviewAction } from "@/review/keys/shortcuts";
import { useSteps } from "@/review/walk/session";

interface Props {
  group: Group;
  /** Only one document is reviewed. */
  isSingle: boolean;
  due: number;
  asked: number;
  act: (action: ReviewAction) => void;
}

/** The document's name, the remaining fields, and the save state. */
export function ReviewHeader({ group, isSingle, due, asked, act }: Props) {
  const { data: all } = useQuery(leftQuery(useProject()));
  const done = useSteps().done.length;
  const left = isSingle ? due : (all?.left ?? due);
  const whole = isSingle ? asked : done + left;
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-4 py-2">
      <Link
        to="/documents/$documentId"
        params={{ documentId: group.documentId }}
        search={{ extraction: group.extractionId }}
        className="min-w-0 flex-1 truncate font-semibold hover:underline md:max-w-sm md:flex-initial"
      >
        {shownName(group.filename)}
      </Link>
      <p className="order-3 w-full text-sm text-muted md:order-none md:w-auto" role="status">
        {due === 0 ? "All reviewed" : `${due} left`}
        {isSingle || all === undefined ? "" : ` · ${count(all.left, "field")} in ${count(all.documents, "document")} left`}
      </p>
      <div className="ml-auto flex items-center gap-1">
        <SaveState />
        {isSingle ? null : (
          <Button look="quiet" aria-keyshortcuts="S" icon={<SkipForward aria-hidden className="size-4" />} onClick={() => act("skip")}>
            <span className="sr-only sm:not-sr-only">Skip document</span> <KeyCap>S</KeyCap>
          </Button>
        )}
        <IconButton label="Keyboard shortcuts" aria-keyshortcuts="?" className="max-md:hidden" onClick={() => act("help")}>
          <Keyboard aria-hidden className="size-4" />
        </IconButton>
      </div>
      <div
        role="progressbar"
        aria-label="Reviewed"
        aria-valuemin={0}
        aria-valuemax={whole}
        aria-valuenow={whole - left}
        className="order-last h-1 w-full overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${whole === 0 ? 100 : (100 * (whole - left)) / whole}%` }} />
      </div>
    </header>
  );
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString()} ${noun}${number === 1 ? "" : "s"}`;
}
