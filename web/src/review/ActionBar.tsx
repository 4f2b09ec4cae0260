import { ArrowLeft, ArrowRight, Ban, Check, SquareDashedMousePointer, Undo2 } from "lucide-react";
import { Button } from "@/components/Button";
import { KeyCap } from "@/review/keys/KeyCap";
import type { ReviewAction } from "@/review/keys/shortcuts";

interface Props {
  act: (action: ReviewAction) => void;
  /** There is unsaved input. */
  edited: boolean;
  isAbsent: boolean;
  isDecided: boolean;
  drawing: boolean;
  canUndo: boolean;
  readOnly: boolean;
}

/** Actions for the current field. Each button shows its key. */
export function ActionBar({ act, edited, isAbsent, isDecided, drawing, canUndo, readOnly }: Props) {
  const walk = (
    <>
      <Button look="quiet" aria-keyshortcuts="P" icon={<ArrowLeft aria-hidden className="size-4" />} onClick={() => act("previous")}>
        Previous <KeyCap>P</KeyCap>
      </Button>
      <Button look="quiet" aria-keyshortcuts="N" onClick={() => act("next")}>
        Next <KeyCap>N</KeyCap> <ArrowRight aria-hidden className="size-4" />
      </Button>
    </>
  );
  if (readOnly) return <div className="flex justify-between gap-2">{walk}</div>;
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-2 gap-2">
        <Button
          look="primary"
          className="col-span-2 min-h-11 text-base"
          aria-keyshortcuts="Enter"
          icon={<Check aria-hidden className="size-5" />}
          onClick={() => act("accept")}
        >
          {edited ? "Save" : isDecided ? "Next" : isAbsent ? "Confirm missing" : "Accept"} <KeyCap onAccent>Enter</KeyCap>
        </Button>
        <Button aria-keyshortcuts="B" aria-pressed={drawing} icon={<SquareDashedMousePointer aria-hidden className="size-4" />} onClick={() => act("draw")}>
          {drawing ? "Stop drawing" : "Draw a box"} <KeyCap>B</KeyCap>
        </Button>
        <Button aria-keyshortcuts="X" disabled={isAbsent && !edited} icon={<Ban aria-hidden className="size-4" />} onClick={() => act("absent")}>
          Not in document <KeyCap>X</KeyCap>
        </Button>
      </div>
      <div className="flex flex-wrap justify-between gap-1">
        {walk}
        <Button look="quiet" aria-keyshortcuts="U" disabled={!canUndo} icon={<Undo2 aria-hidden className="size-4" />} onClick={() => act("undo")}>
          Undo <KeyCap>U</KeyCap>
        </Button>
      </div>
    </div>
  );
}
