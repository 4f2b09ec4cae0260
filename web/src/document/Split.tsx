import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";

const KEPT = "docsieve.split";
const MIN_PERCENT = 30;
const MAX_PERCENT = 75;
const STEP = 2;

function kept(): number {
  const value = Number(localStorage.getItem(KEPT));
  return value >= MIN_PERCENT && value <= MAX_PERCENT ? value : 55;
}

/** Two panes with a divider that can be moved with the pointer or the arrow keys. */
export function Split({ left, right, label }: { left: ReactNode; right: ReactNode; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [percent, setPercent] = useState(kept);
  const move = (wanted: number) => {
    const bounded = Math.round(Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, wanted)));
    setPercent(bounded);
    localStorage.setItem(KEPT, String(bounded));
  };
  const drag = (event: PointerEvent) => {
    if (!(event.buttons & 1) || box.current === null) return;
    const area = box.current.getBoundingClientRect();
    move((100 * (event.clientX - area.left)) / area.width);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    move(percent + (event.key === "ArrowLeft" ? -STEP : STEP));
  };
  return (
    <div ref={box} className="flex min-h-0 flex-1">
      <div className="min-h-0 min-w-0" style={{ width: `${percent}%` }}>
        {left}
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a movable separator is a widget */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={MIN_PERCENT}
        aria-valuemax={MAX_PERCENT}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
        tabIndex={0}
        className="w-1.5 shrink-0 cursor-col-resize touch-none bg-line hover:bg-accent focus-visible:bg-accent"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={onKey}
      />
      <div className="min-h-0 min-w-0 flex-1">{right}</div>
    </div>
  );
}
