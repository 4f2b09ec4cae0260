import { Dialog } from "@/components/Dialog";
import { choosePlainLetters, usePlainLetters } from "./shortcuts";

const KEYS: readonly (readonly [string, string])[] = [
  ["Enter", "Accept the value, or save your input"],
  ["E", "Edit the value; a digit starts a new one"],
  ["1 … 9", "Choose from a list"],
  ["B", "Draw a box on the page: arrow keys move it, Shift and arrow keys resize it, Enter confirms it"],
  ["X", "The document does not contain this field"],
  ["N, Tab", "Next field"],
  ["P, Shift Tab", "Previous field"],
  ["U", "Undo, repeatedly if needed"],
  ["S", "Skip this document"],
  ["Esc", "Leave the field; Tab then goes through the buttons"],
  ["[ ]", "Turn the page"],
  ["+ −", "Zoom"],
];

/** Keyboard shortcuts, and a switch for users of speech input or who press keys by accident. */
export function KeySheet({ open, close }: { open: boolean; close: () => void }) {
  const plain = usePlainLetters();
  return (
    <Dialog open={open} close={close} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {KEYS.map(([key, what]) => (
          <div key={key} className="contents">
            <dt className="font-mono text-xs whitespace-nowrap">{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-4 flex items-start gap-3 border-t border-line pt-4 text-sm">
        <input type="checkbox" className="mt-0.5 size-5 accent-accent" checked={plain} onChange={(event) => choosePlainLetters(event.target.checked)} />
        <span>
          Single-letter shortcuts. <span className="text-muted">Otherwise typing edits the value, and shortcuts need Alt.</span>
        </span>
      </label>
    </Dialog>
  );
}
