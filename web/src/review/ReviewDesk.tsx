import { useEffect, useMemo } from "react";
import { classes } from "@/components/classes";
import { explain } from "@/components/explain";
import { namingOf } from "@/fields/naming";
import { isAbsent, marksOf } from "@/fields/state";
import type { Mark } from "@/viewer/layers/mark";
import { PageViewer } from "@/viewer/PageViewer";
import { ActionBar } from "./ActionBar";
import { FieldCard } from "./FieldCard";
import { FieldContext } from "./FieldContext";
import type { Group } from "@/review/walk/queue";
import { ReviewHeader } from "./ReviewHeader";
import { useParcels, useSteps } from "@/review/walk/session";
import { usePlainLetters } from "@/review/keys/shortcuts";
import { fetchImage } from "@/review/walk/useAhead";
import { useDesk, type Ways } from "./useDesk";
import type { GroupFields } from "@/review/walk/useGroup";
import { useReviewKeys } from "@/review/keys/useReviewKeys";
import { ValueEditor } from "@/review/values/ValueEditor";

interface Props {
  group: Group;
  loaded: GroupFields;
  isSingle: boolean;
  readOnly: boolean;
  at: string | null;
  go: (path: string) => void;
  ways: Ways;
}

const YOURS = "your box";

/** The page next to the current field. */
export function ReviewDesk({ group, loaded, isSingle, readOnly, at, go, ways }: Props) {
  const desk = useDesk({ group, loaded, at, go, readOnly, ways });
  const { current, leaf, draft } = desk;
  const plainLetters = usePlainLetters();
  const canUndo = useSteps().done.length > 0;
  const failed = useParcels().find(({ state, place }) => state === "failed" && place.extractionId === group.extractionId && place.path === current?.path);
  const path = current?.path ?? null;
  useReviewKeys({ plainLetters, drawing: desk.drawing, act: desk.act, type: desk.type, leave: desk.leave });
  const { card, editor } = desk;
  useEffect(() => {
    if (path === null) return;
    if (plainLetters || editor.current === null) card.current?.focus({ preventScroll: true });
    else editor.current.select();
  }, [path, plainLetters, card, editor]);
  useNextPage(group.documentId, loaded, path);

  const naming = useMemo(() => namingOf(loaded.schema), [loaded.schema]);
  const marks = useMemo(() => faintBut(path, marksOf(loaded.fields.map((each) => each.field), group.documentId, naming)), [loaded, group.documentId, naming, path]);
  const yours: Mark | null = draft?.box && draft.page ? { id: YOURS, page: draft.page, box: draft.box, tone: "plain", label: "Your box" } : null;
  if (current === null) return null;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <ReviewHeader group={group} isSingle={isSingle} due={desk.due} asked={desk.asked} act={desk.act} />
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <div
          data-review-pages
          className={classes(
            "relative min-h-0 shrink-0 border-b border-line lg:h-auto lg:flex-1 lg:border-r lg:border-b-0",
            desk.drawing ? "h-[50dvh]" : "h-[33dvh]",
          )}
        >
          {desk.drawing ? <DrawingHint name={leaf.words.at(-1) ?? ""} /> : null}
          <PageViewer
            documentId={group.documentId}
            pageCount={loaded.pageCount}
            marks={yours === null ? marks : [...marks, yours]}
            active={yours === null ? path : YOURS}
            onPick={(id) => (id === YOURS ? undefined : go(id))}
            drawing={desk.drawing}
            onDrawn={desk.drawn}
          />
        </div>
        <div className="relative flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4 lg:w-[27rem] lg:flex-none">
          {readOnly ? <ReadOnlyNote /> : null}
          <FieldCard
            field={current.field}
            leaf={leaf}
            state={current.state}
            history={loaded.corrections.filter((each) => each.path === current.path)}
            failure={failed === undefined ? null : explain(failed.error)}
            card={desk.card}
            documentId={group.documentId}
            take={readOnly ? null : desk.drawn}
            editor={
              <ValueEditor
                name={leaf.words.join(", ")}
                leaf={leaf}
                value={desk.held}
                text={desk.text}
                edited={draft !== null}
                readOnly={readOnly}
                strict={desk.strict}
                type={desk.typeText}
                choose={desk.choose}
                editor={desk.editor}
              />
            }
          />
          <div data-review-actions className="sticky bottom-0 z-10 -mx-4 border-y border-line bg-canvas px-4 py-2 lg:static lg:mx-0 lg:border-0 lg:p-0">
            <ActionBar
              act={desk.act}
              edited={draft !== null}
              isAbsent={isAbsent(current.field)}
              isDecided={current.state === "decided"}
              drawing={desk.drawing}
              canUndo={canUndo}
              readOnly={readOnly}
            />
          </div>
          <FieldContext rows={loaded.fields} naming={naming} current={path} go={go} />
        </div>
      </div>
    </div>
  );
}

function faintBut(path: string | null, marks: readonly Mark[]): Mark[] {
  return marks.map((mark) => (mark.id === path ? mark : { ...mark, tone: "plain" }));
}

/** The image of the page with the next field. */
function useNextPage(documentId: string, { fields }: GroupFields, path: string | null): void {
  const after = fields.slice(fields.findIndex((each) => each.path === path) + 1);
  const page = after.find((each) => each.state === "due")?.field.evidence.find((each) => each.document_id === documentId)?.page ?? null;
  useEffect(() => {
    if (page !== null) fetchImage(documentId, page);
  }, [documentId, page]);
}

function DrawingHint({ name }: { name: string }) {
  return (
    <p role="status" className="pointer-events-none absolute inset-x-0 bottom-3 z-30 mx-auto w-fit max-w-[90%] rounded-full bg-ink px-4 py-1.5 text-sm text-canvas shadow-lg">
      Draw a box around “{name}”<span className="hidden md:inline">, or move it with arrow keys and press Enter</span>
    </p>
  );
}

function ReadOnlyNote() {
  return <p className="rounded-lg bg-info-soft px-3 py-2 text-sm text-info">Your key is read-only, so you cannot change anything.</p>;
}
