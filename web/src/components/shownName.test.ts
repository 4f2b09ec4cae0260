import { expect, it } from "vitest";
import { shownName } from "./shownName";

it("spells out bidirectional control characters", () => {
  for (const sign of ["\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"]) {
    const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    expect(shownName(`invoice${sign}fdp.exe`)).toBe(`invoice[U+${code}]fdp.exe`);
  }
});

it("leaves other names unchanged", () => {
  expect(shownName("חשבונית 12 – Rechnung.pdf")).toBe("חשבונית 12 – Rechnung.pdf");
});
