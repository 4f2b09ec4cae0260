import { describe, expect, it } from "vitest";
import { changedParts } from "@/document/compare/difference";
import { splitMatches } from "@/document/content/matches";
import { reasonOf } from "./reasons";
import { withEnding } from "@/document/header/saving";

const joined = (parts: readonly { text: string }[]) => parts.map(({ text }) => text).join("");

describe("two values side by side", () => {
  it("show the words that differ without losing any", () => {
    const [left, right] = changedParts("Main Street 12 Berlin", "Main Road 12 Berlin");
    expect(left.filter(({ changed }) => changed).map(({ text }) => text)).toEqual(["Street"]);
    expect(right.filter(({ changed }) => changed).map(({ text }) => text)).toEqual(["Road"]);
    expect([joined(left), joined(right)]).toEqual(["Main Street 12 Berlin", "Main Road 12 Berlin"]);
  });

  it("show a word that only one has", () => {
    const [left, right] = changedParts("Acme", "Acme GmbH");
    expect(left).toEqual([{ text: "Acme", changed: false }]);
    expect(right).toEqual([
      { text: "Acme", changed: false },
      { text: " GmbH", changed: true },
    ]);
  });

  it("differ as a whole if they are too long to be compared word by word", () => {
    expect(changedParts("a ".repeat(5_000), "b")[0]).toHaveLength(1);
  });
});

describe("finding in a text", () => {
  it("splits it at each hit, ignoring case, without losing text", () => {
    const pieces = splitMatches("Total: total", "TOTAL");
    expect(pieces.filter(({ hit }) => hit)).toHaveLength(2);
    expect(joined(pieces)).toBe("Total: total");
  });

  it("treats the input as text and not as a pattern", () => {
    expect(splitMatches("a.c abc (", "a.c").filter(({ hit }) => hit)).toEqual([{ text: "a.c", hit: true }]);
    expect(splitMatches("a (", "(").some(({ hit }) => hit)).toBe(true);
    expect(splitMatches("", "x")).toEqual([{ text: "", hit: false }]);
  });
});

it("names a download after the document", () => {
  expect(withEnding("invoice.pdf", "json")).toBe("invoice.json");
  expect(withEnding("archive.2024 final", "txt")).toBe("archive.2024 final.txt");
  expect(withEnding(".pdf", "txt")).toBe("document.txt");
});

describe("a document that could not be read", () => {
  it("gives advice after a crash, also for when every scan fails", () => {
    const { advice } = reasonOf({ code: "parser_crashed", message: "The sandboxed process was killed by signal 4." });
    expect(advice).toContain("new PDF");
    expect(advice).toContain("docsieve doctor");
  });

  it("blames the engine, not the document, when extracting fields failed", () => {
    const { title, advice } = reasonOf({ code: "engine_failed", message: "The engine returned an invalid result." });
    expect(title).toBe("Extracting fields failed");
    expect(advice).toContain("different engine");
  });
});
