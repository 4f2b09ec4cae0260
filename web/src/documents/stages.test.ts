import { describe, expect, it } from "vitest";
import { leftInWords, stageWords } from "./stages";

describe("the time that is left", () => {
  it("is rounded more the longer it is", () => {
    expect([3, 44, 100, 5_000, 20_000].map(leftInWords)).toEqual([
      "a few seconds left",
      "about 40 seconds left",
      "about 2 minutes left",
      "about 83 minutes left",
      "about 6 hours left",
    ]);
  });

  it("follows the page that is being read", () => {
    expect(stageWords({ stage: "ocr", page: 5, pages: 30, seconds_left: 120 })).toBe("Page 5 of 30, about 2 minutes left");
    expect(stageWords({ stage: "reading", page: 1, pages: 30, seconds_left: null })).toBe("Page 1 of 30");
  });
});
