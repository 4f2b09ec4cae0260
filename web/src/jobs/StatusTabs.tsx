import { Link } from "@tanstack/react-router";
import type { JobPage } from "@/api/jobs";
import { classes } from "@/components/classes";

const STATUSES = [
  ["failed", "Failed", "failed_count"],
  ["pending", "Waiting", "pending_count"],
  ["processing", "Running", "processing_count"],
  ["completed", "Done", "completed_count"],
  ["cancelled", "Cancelled", "cancelled_count"],
] as const;

export const ALL = "all";
export const FIRST = "failed";

export function statusOf(given: string | undefined): string {
  return given === ALL || STATUSES.some(([status]) => status === given) ? (given ?? FIRST) : FIRST;
}

/** A tab per status with its count. Failed jobs come first, because they need attention. */
export function StatusTabs({ current, counts }: { current: string; counts: JobPage | undefined }) {
  const all = counts && STATUSES.reduce((sum, [, , key]) => sum + counts[key], 0);
  const shown = [...STATUSES.map(([status, label, key]) => [status, label, counts?.[key]] as const), [ALL, "All", all] as const];
  return (
    <nav aria-label="Job status" className="flex gap-1 overflow-x-auto">
      {shown.map(([status, label, count]) => (
        <Link
          key={status}
          from="/jobs"
          to="/jobs"
          search={(former) => ({ ...former, status: status === FIRST ? undefined : status })}
          replace
          preload={false}
          aria-current={status === current ? "page" : undefined}
          className={classes(
            "flex min-h-9 items-center gap-1.5 rounded-lg px-3 text-sm whitespace-nowrap",
            status === current ? "bg-accent-soft font-medium text-accent" : "text-muted hover:bg-sunken hover:text-ink",
          )}
        >
          {label}
          <span className="text-xs tabular-nums">{count?.toLocaleString("en")}</span>
        </Link>
      ))}
    </nav>
  );
}
