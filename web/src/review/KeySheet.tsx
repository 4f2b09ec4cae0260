import { Dialog } from "@/components/Dialog";
import { choosePlainLetters, usePlainLetters } from "./shortcuts";

const KEYS: readonly (readonly [string, string])[] = [
  ["Enter", "It is right; or save what was typed"],
  ["E", "Change the value; a digit begins a new one"],
  ["1 … 9", "Choose from a list"],
  ["B", "Draw a box on the page: arrow keys move it, Shift and arrow keys size it, Enter takes it"],
  ["X", "The document does not have it"],
  ["N, Tab", "Next field"],
  ["P, Shift Tab", "Previous field"],
  ["U", "Undo, as often as you like"],
  ["S", "Skip this document"],
  ["Esc", "Leave the field; Tab then goes through the buttons"],
  ["[ ]", "Turn the page"],
  ["+ −", "Zoom"],
];

/** Which key does what, and the switch for those who speak to their computer or touch keys by accident. */
export function KeySheet({ open, close }: { open: boolean; close: () => void }) {
  const plain = usePlainLetters();
  return (
    <Dialog open={open} close={close} title="Keys">
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
          Single letters act at once. <span className="text-muted">Without this, typing goes into the value, and letters act together with Alt.</span>
        </span>
      </label>
    </Dialog>
  );
}
