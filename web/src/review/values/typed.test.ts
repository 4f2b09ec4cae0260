import { describe, expect, it } from "vitest";
import type { Leaf } from "@/fields/leaf";
import { asTyped, readTyped, understoodAs } from "./typed";

const leaf = (over: Partial<Leaf>): Leaf => ({ kind: "string", isDate: false, choices: null, description: "", words: [], ...over });
const value = (text: string, of: Leaf) => {
  const typed = readTyped(text, of);
  return typed.ok ? typed.value : "refused";
};

describe("numbers", () => {
  const number = leaf({ kind: "number" });
  it.each([
    ["1234.5", 1234.5],
    ["1.234,50", 1234.5],
    ["1,234.50", 1234.5],
    ["1 234,50 €", 1234.5],
    ["$4.11", 4.11],
    ["CHF 1'234.50", 1234.5],
    ["12 345 678", 12345678],
    ["12,5", 12.5],
    ["1,234", 1234],
    ["1.234", 1.234],
    ["1.234.567", 1234567],
    ["-12", -12],
    ["−12,00", -12],
    ["(12.00)", -12],
    ["12-", -12],
    ["0", 0],
    ["-0", 0],
    ["19 %", 19],
    ["5.", 5],
  ])("%s is %d", (text, expected) => {
    expect(value(text, number)).toBe(expected);
  });
  it.each(["abc", "12-13", "12 and 13", "August 3 , 2014", "12 34", "1.2,3.4", "1.234,567.890", "1.23.456", "1,2,3", "10:30"])("%s is rejected", (text) => {
    expect(value(text, number)).toBe("refused");
  });
  it("that are integers have no fraction", () => {
    expect(value("3", leaf({ kind: "integer" }))).toBe(3);
    expect(value("3.5", leaf({ kind: "integer" }))).toBe("refused");
  });
});

describe("dates", () => {
  const date = leaf({ isDate: true });
  it.each([
    ["2026-01-31", "2026-01-31"],
    ["2026/1/31", "2026-01-31"],
    ["31.01.2026", "2026-01-31"],
    ["03.04.2026", "2026-04-03"],
    ["31/01/2026", "2026-01-31"],
    ["01/31/2026", "2026-01-31"],
    ["5/5/26", "2026-05-05"],
    ["August 3 , 2014", "2014-08-03"],
    ["3 August 2014", "2014-08-03"],
    ["3. März 2014", "2014-03-03"],
    ["31-Dec-99", "1999-12-31"],
  ])("%s is %s", (text, expected) => {
    expect(value(text, date)).toBe(expected);
  });
  it.each(["2026-02-30", "03/04/2026", "yesterday", "2026"])("%s is rejected", (text) => {
    expect(value(text, date)).toBe("refused");
  });
});

describe("choices", () => {
  it("are found regardless of case", () => {
    expect(value("eur", leaf({ choices: ["EUR", "USD"] }))).toBe("EUR");
    expect(value("GBP", leaf({ choices: ["EUR", "USD"] }))).toBe("refused");
  });
  it("keep their type", () => {
    expect(value("2", leaf({ kind: "integer", choices: [1, 2] }))).toBe(2);
  });
  it("of yes and no are understood in words", () => {
    expect(value("Yes", leaf({ kind: "boolean", choices: [true, false] }))).toBe(true);
    expect(value("nein", leaf({ kind: "boolean", choices: [true, false] }))).toBe(false);
  });
});

describe("text", () => {
  it("is kept without the space around it", () => {
    expect(value("  Acme <b>Ltd</b> ", leaf({}))).toBe("Acme <b>Ltd</b>");
  });
  it("that is empty means no value, for every type", () => {
    for (const of of [leaf({}), leaf({ kind: "number" }), leaf({ isDate: true }), leaf({ choices: ["a"] })]) expect(value(" ", of)).toBeNull();
  });
  it("is shown unchanged in the editor", () => {
    expect([null, 0, false, "a", 1.5].map(asTyped)).toEqual(["", "0", "false", "a", "1.5"]);
  });
});

describe("understoodAs", () => {
  it("is not shown if the value equals the input", () => {
    expect(understoodAs("1234.5", readTyped("1234.5", leaf({ kind: "number" })), leaf({}))).toBeNull();
  });
  it("shows a number that was written differently", () => {
    expect(understoodAs("1.234,50", readTyped("1.234,50", leaf({ kind: "number" })), leaf({}))).toBe("1234.5");
  });
});
