import type { InputHTMLAttributes, SelectHTMLAttributes } from "react";
import { classes } from "./classes";

const LOOK =
  "min-h-9 rounded-lg border border-line-strong bg-surface px-3 text-sm text-ink disabled:cursor-not-allowed disabled:opacity-55";

/** Needs an id with a <label>, or an aria-label. */
export function TextInput({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input className={classes(LOOK, className)} {...rest} />;
}

export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select className={classes(LOOK, "pr-8 text-ellipsis", className)} {...rest} />;
}
