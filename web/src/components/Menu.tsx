import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "./Button";

interface Props {
  label: string;
  icon: ReactNode;
  /** Receives a function that closes the menu. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a menu, which Escape or a click elsewhere closes. */
export function Menu({ label, icon, children }: Props) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      box.current?.querySelector("button")?.focus();
    };
    window.addEventListener("pointerdown", onPointer);
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("pointerdown", onPointer);
      window.removeEventListener("keydown", onKey);
    };
  }, [open]);
  return (
    <div ref={box} className="relative">
      <Button aria-expanded={open} icon={icon} onClick={() => setOpen(!open)}>
        <span className="max-sm:sr-only">{label}</span>
      </Button>
      {open ? (
        <div className="absolute left-0 z-30 mt-1 flex max-h-96 min-w-48 flex-col overflow-y-auto rounded-xl border border-line bg-surface p-1 shadow-lg sm:right-0 sm:left-auto">
          {children(() => setOpen(false))}
        </div>
      ) : null}
    </div>
  );
}

export const MENU_ITEM =
  "flex min-h-9 items-center gap-2 rounded-lg px-3 text-left text-sm hover:bg-sunken disabled:cursor-not-allowed disabled:opacity-55";
