/** Bidirectional control characters, which can make a name appear to have a different extension. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A file name for display, with such characters spelled out: `invoice[U+202E]fdp.exe`. Requests use the original. */
export function shownName(name: string): string {
  return name.replace(TURNING, (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}
