import { count, endedOf, type Progress } from "./words";

const PARTS = [
  ["completed", "bg-good"],
  ["failed", "bg-bad"],
  ["cancelled", "bg-warn"],
] as const;

/** Completed, failed and cancelled extractions as parts of all. */
export function BatchBar({ progress, label }: { progress: Progress; label: string }) {
  const ended = endedOf(progress);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(1, progress.total)}
      aria-valuenow={ended}
      aria-valuetext={`${count(ended)} of ${count(progress.total)}, ${count(progress.failed)} failed`}
      className="flex h-2 w-full overflow-hidden rounded-full bg-line"
    >
      {PARTS.map(([part, look]) => (
        <span key={part} className={`h-full ${look}`} style={{ width: `${(100 * progress[part]) / Math.max(1, progress.total)}%` }} />
      ))}
    </div>
  );
}
