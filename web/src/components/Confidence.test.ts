import { expect, it } from "vitest";
import { percentOf, sureness } from "./Confidence";

it("never shows the same number with two labels", () => {
  const words = new Map<number, Set<string>>();
  for (let tick = 0; tick <= 100_000; tick += 1) {
    const confidence = tick / 100_000;
    const percent = percentOf(confidence);
    words.set(percent, (words.get(percent) ?? new Set()).add(sureness(confidence)));
  }
  expect([...words].filter(([, said]) => said.size > 1)).toEqual([]);
});

it("shows a whole percentage unchanged", () => {
  expect([0, 0.29, 0.57, 0.9, 1].map(percentOf)).toEqual([0, 29, 57, 90, 100]);
});
