import type { Page } from "@/api/pages";
import type { Box } from "./geometry";

export interface PlacedWord {
  text: string;
  box: Box;
}

/** The words of a page by line; a line whose words are not known counts as one. */
export function wordsByLine(page: Page): PlacedWord[][] {
  return (page.lines ?? []).map((line) => {
    const words = line.words ?? [];
    return words.length > 0
      ? words.map((word) => ({ text: word.text, box: word.box }))
      : [{ text: line.text, box: line.box }];
  });
}

/** What stands under a box: words that lie in it by more than half, in the order of reading. */
export function textUnder(page: Page, box: Box): string {
  return wordsByLine(page)
    .flatMap((words) => words.filter((word) => shareWithin(word.box, box) > 0.5))
    .map((word) => word.text)
    .join(" ");
}

function shareWithin(inner: Box, outer: Box): number {
  const across = Math.min(inner[2], outer[2]) - Math.max(inner[0], outer[0]);
  const down = Math.min(inner[3], outer[3]) - Math.max(inner[1], outer[1]);
  const area = (inner[2] - inner[0]) * (inner[3] - inner[1]);
  return across <= 0 || down <= 0 || area <= 0 ? 0 : (across * down) / area;
}
