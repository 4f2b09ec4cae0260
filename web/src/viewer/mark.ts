import type { Sureness } from "@/components/Confidence";

/** A place on a page that can be lit and picked; the box is in points of the page, as the API gives it. */
export interface Mark {
  id: string;
  page: number;
  box: readonly [number, number, number, number];
  tone: Sureness | "plain";
  label: string;
}

export interface Drawn {
  page: number;
  box: [number, number, number, number];
  /** The words under it, those of one line and the next with a space between. */
  text: string;
}
