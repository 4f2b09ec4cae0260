/** Whether the server reports changes as they happen. While it does, polling only shows progress and is slow. */

let live = false;

export function isLive(): boolean {
  return live;
}

export function setLive(now: boolean): void {
  live = now;
}

const SLOW_MS = 5_000;

/** How often to poll something that events also report. */
export function unlessLive(usual: number): number {
  return live ? Math.max(usual, SLOW_MS) : usual;
}
