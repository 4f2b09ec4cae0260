import { classes } from "@/components/classes";

const TONES = { accent: "bg-accent", good: "bg-good", warn: "bg-warn", bad: "bg-bad" } as const;

interface Props {
  /** From 0 to 1; null if unknown. */
  part: number | null;
  label: string;
  tone?: keyof typeof TONES;
}

export function ProgressBar({ part, label, tone = "accent" }: Props) {
  const percent = part === null ? undefined : Math.round(part * 100);
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="block h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      <span
        className={classes("block h-full origin-left rounded-full transition-transform duration-200", TONES[tone], part === null && "animate-pulse opacity-40")}
        style={{ transform: `scaleX(${part ?? 1})` }}
      />
    </span>
  );
}
