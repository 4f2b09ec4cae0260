import type { Sureness } from "@/components/Confidence";

/** A box on a page that can be highlighted and selected, in points as in the API. */
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
  /** The words under it, joined with spaces. */
  text: string;
}
