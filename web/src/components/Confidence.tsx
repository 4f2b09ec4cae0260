import { classes } from "./classes";

const SURE = 0.9;
const LIKELY = 0.7;

export type Sureness = "sure" | "likely" | "unsure";

export function sureness(confidence: number): Sureness {
  if (confidence >= SURE) return "sure";
  return confidence >= LIKELY ? "likely" : "unsure";
}

/** Rounded down, so that the number never reaches the next level before the confidence does. */
export function percentOf(confidence: number): number {
  return Math.floor(confidence * 100 + 1e-6);
}

const WORDS: Record<Sureness, string> = { sure: "High", likely: "Medium", unsure: "Low" };
const LOOKS: Record<Sureness, { ink: string; bar: string }> = {
  sure: { ink: "text-good", bar: "bg-good" },
  likely: { ink: "text-warn", bar: "bg-warn" },
  unsure: { ink: "text-bad", bar: "bg-bad" },
};

interface Props {
  value: number;
  compact?: boolean;
  /** It is the confidence that the document does not have the field. */
  absent?: boolean;
}

/** Confidence of a value, or of its absence, as color, bar and text. */
export function Confidence({ value, compact = false, absent = false }: Props) {
  const how = sureness(value);
  const percent = percentOf(value);
  return (
    <span className={classes("inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap", LOOKS[how].ink)} title={absent ? `${percent}% confidence that the document does not have it` : `${percent}% confidence`}>
      <span aria-hidden className="h-1.5 w-8 overflow-hidden rounded-full bg-sunken">
        <span className={classes("block h-full rounded-full", LOOKS[how].bar)} style={{ width: `${percent}%` }} />
      </span>
      {compact || absent ? null : <span>{WORDS[how]}</span>}
      <span className="tabular-nums">{percent}&nbsp;%</span>
      {absent && !compact ? <span>sure it is missing</span> : null}
    </span>
  );
}
