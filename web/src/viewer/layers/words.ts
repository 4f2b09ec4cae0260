import type { Page } from "@/api/pages";
import type { Box } from "@/viewer/geometry";

export interface PlacedWord {
  text: string;
  box: Box;
}

/** The words of a page by line. A line without word boxes counts as one word. */
export function wordsByLine(page: Page): PlacedWord[][] {
  return (page.lines ?? []).map((line) => {
    const words = line.words ?? [];
    return words.length > 0
      ? words.map((word) => ({ text: word.text, box: word.box }))
      : [{ text: line.text, box: line.box }];
  });
}

export interface Taken {
  text: string;
  /** The box around the selected words, or the drawn box if there are none. */
  box: Box;
}

/**
 * The words that a drawn box selects, in reading order: those whose center is between its sides, of each line that it
 * covers by half or runs through. If it only touches lines, the one with the largest overlap.
 */
export function takenBy(page: Page, box: Box): Taken {
  const lines = wordsByLine(page).map((words) => words.filter((word) => isBetween(word.box, box) && covered(word.box, box) > 0));
  const meant = lines.flatMap((words) => words.filter((word) => covered(word.box, box) >= 0.5));
  const words = meant.length > 0 ? meant : mostTouched(lines, box);
  const [first, ...others] = words;
  if (first === undefined) return { text: "", box };
  const around = others.reduce<Box>((whole, word) => union(whole, word.box), first.box);
  return { text: words.map((word) => word.text).join(" "), box: around };
}

function isBetween(word: Box, box: Box): boolean {
  const middle = (word[0] + word[2]) / 2;
  return middle >= box[0] && middle <= box[2];
}

/** The share of the word's height inside the box, or of the box's height inside the word if the box is flatter. */
function covered(word: Box, box: Box): number {
  const down = Math.min(word[3], box[3]) - Math.max(word[1], box[1]);
  const height = Math.min(word[3] - word[1], box[3] - box[1]);
  return height <= 0 ? 0 : down / height;
}

function mostTouched(lines: readonly PlacedWord[][], box: Box): PlacedWord[] {
  const touch = (words: readonly PlacedWord[]) => Math.max(0, ...words.map((word) => covered(word.box, box)));
  return lines.reduce<PlacedWord[]>((most, words) => (touch(words) > touch(most) ? words : most), []);
}

function union(one: Box, other: Box): Box {
  return [Math.min(one[0], other[0]), Math.min(one[1], other[1]), Math.max(one[2], other[2]), Math.max(one[3], other[3])];
}
