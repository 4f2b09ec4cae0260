import { Link } from "@tanstack/react-router";
import type { ResultFilter } from "@/api/batches";
import { classes } from "@/components/classes";
import { count, type Progress } from "@/batches/words";

const TABS: readonly { id: string; label: string; filter: ResultFilter; count: (progress: Progress) => number }[] = [
  { id: "all", label: "All", filter: {}, count: ({ total }) => total },
  { id: "review", label: "To review", filter: { needs_review: true }, count: ({ needs_review }) => needs_review },
  { id: "completed", label: "Completed", filter: { status: "completed" }, count: ({ completed }) => completed },
  { id: "failed", label: "Failed", filter: { status: "failed" }, count: ({ failed }) => failed },
  { id: "cancelled", label: "Cancelled", filter: { status: "cancelled" }, count: ({ cancelled }) => cancelled },
];

function tabsOf(progress: Progress) {
  return TABS.filter((tab) => tab.id === "all" || tab.count(progress) > 0);
}

/** A link can name a tab that does not exist, or no longer has anything in it. */
export function shownOf(show: string | undefined, progress: Progress): string {
  return tabsOf(progress).find(({ id }) => id === show)?.id ?? "all";
}

export function filterOf(shown: string): ResultFilter {
  return TABS.find(({ id }) => id === shown)?.filter ?? {};
}

export function ResultTabs({ current, progress }: { current: string; progress: Progress }) {
  return (
    <nav aria-label="Which results" className="flex gap-1 overflow-x-auto">
      {tabsOf(progress).map((tab) => (
        <Link
          key={tab.id}
          from="/batches/$batchId"
          to="/batches/$batchId"
          search={{ show: tab.id === "all" ? undefined : tab.id }}
          replace
          preload={false}
          aria-current={tab.id === current ? "page" : undefined}
          className={classes(
            "flex min-h-9 items-center gap-1.5 rounded-lg px-3 text-sm whitespace-nowrap",
            tab.id === current ? "bg-accent-soft font-medium text-accent" : "text-muted hover:bg-sunken hover:text-ink",
          )}
        >
          {tab.label}
          <span className="text-xs tabular-nums">{count(tab.count(progress))}</span>
        </Link>
      ))}
    </nav>
  );
}
