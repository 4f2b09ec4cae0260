import { useEffect, useEffectEvent } from "react";

/** Whether key presses there are text input or belong to a dialog. */
export function typesInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
}

/** `[` and `]` change the page, `+` and `-` zoom, wherever the focus is. */
export function useViewerKeys({ step, zoomBy }: { step: (by: number) => void; zoomBy: (by: 1 | -1) => void }): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typesInto(event.target)) return;
    if (event.key === "[") step(-1);
    else if (event.key === "]") step(1);
    else if (event.key === "+" || event.key === "=") zoomBy(1);
    else if (event.key === "-") zoomBy(-1);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
