import { classes } from "@/components/classes";

/** A keyboard key. Screen readers get it from `aria-keyshortcuts`. */
export function KeyCap({ children, onAccent = false }: { children: string; onAccent?: boolean }) {
  return (
    <kbd
      aria-hidden
      className={classes(
        "hidden rounded border px-1 font-mono text-[0.6875rem] leading-4 md:inline-block",
        onAccent ? "border-accent-ink/50 text-accent-ink" : "border-line-strong text-muted",
      )}
    >
      {children}
    </kbd>
  );
}
