/** Boxes and points on a page, in points from its upper left corner, and their positions on a rotated page. */

export type Box = readonly [number, number, number, number];
export type Turn = 0 | 90 | 180 | 270;

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export function turnedSize(size: Size, turn: Turn): Size {
  return turn % 180 === 0 ? size : { width: size.height, height: size.width };
}

/** Maps a point of the upright page to the page rotated clockwise. */
export function turnPoint({ x, y }: Point, size: Size, turn: Turn): Point {
  switch (turn) {
    case 0:
      return { x, y };
    case 90:
      return { x: size.height - y, y: x };
    case 180:
      return { x: size.width - x, y: size.height - y };
    case 270:
      return { x: y, y: size.width - x };
  }
}

/** The inverse: maps a point of the rotated page to the upright one, whose size is given. */
export function unturnPoint(point: Point, size: Size, turn: Turn): Point {
  const back = ((360 - turn) % 360) as Turn;
  return turnPoint(point, turnedSize(size, turn), back);
}

export function turnBox(box: Box, size: Size, turn: Turn): Box {
  return boxBetween(turnPoint({ x: box[0], y: box[1] }, size, turn), turnPoint({ x: box[2], y: box[3] }, size, turn));
}

export function boxBetween(one: Point, other: Point): Box {
  return [Math.min(one.x, other.x), Math.min(one.y, other.y), Math.max(one.x, other.x), Math.max(one.y, other.y)];
}

export function clampBox(box: Box, { width, height }: Size): Box {
  const within = (value: number, max: number) => Math.min(Math.max(value, 0), max);
  return [within(box[0], width), within(box[1], height), within(box[2], width), within(box[3], height)];
}

/** Moves a box by a step and keeps all of it on the page. */
export function moveBox(box: Box, dx: number, dy: number, { width, height }: Size): Box {
  const right = Math.min(Math.max(dx, -box[0]), width - box[2]);
  const down = Math.min(Math.max(dy, -box[1]), height - box[3]);
  return [box[0] + right, box[1] + down, box[2] + right, box[3] + down];
}

/** Moves the lower right corner of a box. The box stays on the page and at least `min` in size. */
export function sizeBox(box: Box, dx: number, dy: number, { width, height }: Size, min = 4): Box {
  const right = Math.min(Math.max(box[2] + dx, box[0] + min), width);
  const bottom = Math.min(Math.max(box[3] + dy, box[1] + min), height);
  return [box[0], box[1], right, bottom];
}

/** Left, top, width and height in percent of the page. */
export function percentages(box: Box, { width, height }: Size): { left: string; top: string; width: string; height: string } {
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
  return {
    left: percent(box[0], width),
    top: percent(box[1], height),
    width: percent(box[2] - box[0], width),
    height: percent(box[3] - box[1], height),
  };
}

/** Parses `x0,y0,x1,y1` from a URL; null if it is not a box. */
export function parseBox(text: string | undefined): Box | null {
  const numbers = (text ?? "").split(",").map(Number);
  const [x0, y0, x1, y1] = numbers;
  if (numbers.length !== 4 || x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return null;
  return numbers.every(Number.isFinite) && x0 < x1 && y0 < y1 ? [x0, y0, x1, y1] : null;
}
