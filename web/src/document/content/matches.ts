export interface Piece {
  text: string;
  hit: boolean;
}

/** A text split at every occurrence of the needle, ignoring case but not accents and spaces. */
export function splitMatches(text: string, needle: string): Piece[] {
  if (needle === "") return [{ text, hit: false }];
  const pattern = new RegExp(needle.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), hit: false });
    pieces.push({ text: match[0], hit: true });
    end = match.index + match[0].length;
  }
  if (end < text.length || pieces.length === 0) pieces.push({ text: text.slice(end), hit: false });
  return pieces;
}
