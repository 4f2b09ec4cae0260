import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import type { Page } from "@/api/pages";
import { type Box, boxBetween, clampBox, moveBox, percentages, type Point, sizeBox, turnBox, turnedSize, type Turn, unturnPoint } from "@/viewer/geometry";
import { type Taken, takenBy } from "./words";

const MIN_POINTS = 3;
const STEP = 4;
const FINE_STEP = 1;
const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

interface Props {
  page: Page;
  turn: Turn;
  /** Arrow keys move the box on this page. */
  byKeys: boolean;
  start: Box | null;
  onDrawn: (taken: Taken) => void;
}

/** A box drawn with the pointer, or moved with the arrow keys, resized with Shift and confirmed with Enter. */
export function DrawLayer({ page, turn, byKeys, start, onDrawn }: Props) {
  const layer = useRef<HTMLButtonElement>(null);
  const [from, setFrom] = useState<Point | null>(null);
  const [box, setBox] = useState<Box | null>(null);
  const shown = box ?? (byKeys ? (start ?? middleOf(page)) : null);
  useEffect(() => {
    if (byKeys) layer.current?.focus({ preventScroll: true });
  }, [byKeys]);

  const pointOf = (event: PointerEvent<HTMLElement>): Point => {
    const area = event.currentTarget.getBoundingClientRect();
    const across = turnedSize(page, turn);
    const point = { x: ((event.clientX - area.left) / area.width) * across.width, y: ((event.clientY - area.top) / area.height) * across.height };
    return unturnPoint(point, page, turn);
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    setFrom(pointOf(event));
    setBox(null);
  };
  const draw = (event: PointerEvent<HTMLElement>) => {
    if (from !== null) setBox(clampBox(boxBetween(from, pointOf(event)), page));
  };
  const end = () => {
    setFrom(null);
    if (box !== null && box[2] - box[0] >= MIN_POINTS && box[3] - box[1] >= MIN_POINTS) onDrawn(takenBy(page, box));
  };
  const onKey = (event: KeyboardEvent) => {
    if (shown === null) return;
    const arrow = ARROWS[event.key];
    if (arrow !== undefined) {
      const step = event.altKey ? FINE_STEP : STEP;
      const onPage = unturnedStep(arrow, turn);
      const change = event.shiftKey ? sizeBox : moveBox;
      setBox(change(shown, onPage.x * step, onPage.y * step, page));
    } else if (event.key === "Enter") onDrawn(takenBy(page, shown));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <button
        ref={layer}
        type="button"
        tabIndex={byKeys ? 0 : -1}
        aria-label="Draw a box. Arrow keys move it, Shift and arrow keys resize it, Enter confirms it."
        className="absolute inset-0 z-20 cursor-crosshair touch-none"
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
        onPointerCancel={() => setFrom(null)}
        onKeyDown={onKey}
      />
      {shown !== null ? (
        <span
          aria-hidden
          style={percentages(turnBox(shown, page, turn), turnedSize(page, turn))}
          className="pointer-events-none absolute z-20 border-2 border-dashed border-accent bg-accent/15"
        />
      ) : null}
      {box !== null && from === null ? (
        <span role="status" className="sr-only">
          {takenBy(page, box).text || "No text under the box"}
        </span>
      ) : null}
    </>
  );
}

function middleOf({ width, height }: Page): Box {
  return [width * 0.35, height * 0.46, width * 0.65, height * 0.5];
}

/** Maps arrow keys to the rotated page, so that the box moves where they point. */
function unturnedStep(arrow: Point, turn: Turn): Point {
  const end = unturnPoint(arrow, { width: 0, height: 0 }, turn);
  const origin = unturnPoint({ x: 0, y: 0 }, { width: 0, height: 0 }, turn);
  return { x: end.x - origin.x, y: end.y - origin.y };
}
