import type { ReactNode } from "react";
import { classes } from "./classes";

interface Props {
  icon?: ReactNode;
  tone?: "plain" | "bad";
  title: string;
  /** What to do next. */
  children?: ReactNode;
  actions?: ReactNode;
}

export function EmptyState({ icon, tone = "plain", title, children, actions }: Props) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-16 text-center">
      {icon ? <div className={classes("rounded-2xl p-4", tone === "bad" ? "bg-bad-soft text-bad" : "bg-accent-soft text-accent")}>{icon}</div> : null}
      <h2 className="text-lg font-semibold">{title}</h2>
      {children ? <div className="text-muted">{children}</div> : null}
      {actions ? <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}
