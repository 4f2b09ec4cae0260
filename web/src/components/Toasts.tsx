import { X } from "lucide-react";
import { hideToast, type Toast, useToasts } from "@/state/toasts";
import { IconButton } from "./Button";
import { classes } from "./classes";

const EDGES: Record<Toast["tone"], string> = { info: "border-l-info", good: "border-l-good", bad: "border-l-bad" };

export function Toasts() {
  const toasts = useToasts();
  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-0 bottom-16 z-50 flex flex-col items-center gap-2 p-3 md:bottom-2">
      {toasts.map((toast) => (
        <div
          key={toast.id}
          className={classes(
            "pointer-events-auto flex w-full max-w-md items-center gap-3 rounded-lg border border-l-4 border-line bg-surface py-2 pr-2 pl-4 text-sm shadow-lg",
            EDGES[toast.tone],
          )}
        >
          <span className="min-w-0 flex-1 break-words">{toast.text}</span>
          {toast.action ? (
            <button
              type="button"
              className="rounded-md px-2 py-1 font-semibold text-accent hover:bg-accent-soft"
              onClick={() => {
                toast.action?.run();
                hideToast(toast.id);
              }}
            >
              {toast.action.label}
            </button>
          ) : null}
          <IconButton label="Dismiss" onClick={() => hideToast(toast.id)}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
