/** What turns the direction of the text around it: a name with one can show another ending than it has. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A file's name for showing, with such characters written out: `invoice[U+202E]fdp.exe`. What is sent stays as it is. */
export function shownName(name: string): string {
  return name.replace(TURNING, (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}
