import type { ButtonHTMLAttributes, ReactNode } from "react";
import { classes } from "./classes";

const LOOKS = {
  primary: "bg-accent text-accent-ink hover:opacity-90 border-transparent",
  plain: "bg-surface text-ink border-line-strong hover:bg-sunken",
  quiet: "bg-transparent text-ink border-transparent hover:bg-sunken",
  danger: "bg-surface text-bad border-bad hover:bg-bad-soft",
} as const;

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof LOOKS;
  icon?: ReactNode;
  /** Work is in progress: the button shows it and cannot be pressed again. */
  busy?: boolean;
}

export function Button({ look = "plain", icon, busy = false, className, children, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-busy={busy}
      disabled={disabled || busy}
      className={classes(
        "inline-flex min-h-9 items-center justify-center gap-2 rounded-lg border px-3 text-sm font-medium whitespace-nowrap",
        "transition-colors disabled:cursor-not-allowed disabled:opacity-55",
        LOOKS[look],
        className,
      )}
      {...rest}
    >
      {icon}
      {children}
    </button>
  );
}

interface IconProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Label for screen readers. */
  label: string;
  pressed?: boolean;
}

export function IconButton({ label, pressed, className, children, ...rest }: IconProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      className={classes(
        "inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted transition-colors hover:bg-sunken hover:text-ink",
        "disabled:cursor-not-allowed disabled:opacity-45",
        pressed && "bg-accent-soft text-accent",
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
