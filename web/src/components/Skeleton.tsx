import { classes } from "./classes";

/** Placeholder with the size of the content that is loading, so that the layout does not shift. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classes("block animate-pulse rounded-md bg-sunken", className)} />;
}

export function SkeletonRows({ rows = 6, className }: { rows?: number; className?: string }) {
  return (
    <div role="status" aria-label="Loading" className="space-y-2">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className={className ?? "h-12"} />
      ))}
    </div>
  );
}
