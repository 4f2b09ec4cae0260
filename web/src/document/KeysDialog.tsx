import { Dialog } from "@/components/Dialog";

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["j", "k"], "next field, previous field"],
  [["↓", "↑"], "the same, while a field is focused"],
  [["]", "["], "next page, previous page"],
  [["+", "−"], "larger, smaller"],
  [["Ctrl + wheel"], "zoom"],
  [["?"], "show these shortcuts"],
];

export function KeysDialog({ open, close }: { open: boolean; close: () => void }) {
  return (
    <Dialog open={open} close={close} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 text-sm">
        {KEYS.map(([keys, does]) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="min-w-7 rounded-md border border-line-strong bg-sunken px-2 py-0.5 text-center font-mono text-xs">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
