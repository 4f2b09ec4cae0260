import { describe, expect, it } from "vitest";
import { neighbor, groupKey, groupsOf, nextDue, nextGroup, stateOf, type Stop } from "./queue";
import { decide, decisionsOf, NO_STEPS, takeBack } from "./steps";

const row = (document: string, extraction = `of ${document}`) => ({ document_id: document, extraction_id: extraction, filename: `${document}.pdf` });
const stop = (path: string, state: Stop["state"] = "due"): Stop => ({ path, state });

describe("documents", () => {
  const groups = groupsOf([row("b"), row("a"), row("b"), row("c"), row("a", "again")]);
  it("are sorted by their lowest confidence, each extraction once", () => {
    expect(groups.map(groupKey)).toEqual(["of b b", "of a a", "of c c", "again a"]);
  });
  it("that were finished or skipped do not come again", () => {
    expect(nextGroup(groups, "of b b", new Set(["of a a"]))?.documentId).toBe("c");
  });
  it("that were passed over come at the end", () => {
    expect(nextGroup(groups, "again a", new Set(["of b b"]))?.documentId).toBe("a");
  });
  it("end when all were finished or skipped", () => {
    expect(nextGroup(groups, "of b b", new Set(["of a a", "of c c", "again a"]))).toBeNull();
    expect(nextGroup([], null, new Set())).toBeNull();
  });
});

describe("fields", () => {
  const fields = [stop("a"), stop("b", "settled"), stop("c"), stop("d", "decided"), stop("e")];
  it("that are due follow each other after a decision, in the document's order", () => {
    expect(nextDue(fields, "a")).toBe("c");
    expect(nextDue(fields, "c")).toBe("e");
  });
  it("that were passed over come again at the end", () => {
    expect(nextDue(fields, "e")).toBe("a");
  });
  it("are done when none is due", () => {
    expect(nextDue([stop("a", "decided"), stop("b", "settled")], "a")).toBeNull();
    expect(nextDue([stop("a")], "a")).toBeNull();
  });
  it("are stepped through together with decided ones, so that one can go back to them", () => {
    expect(neighbor(fields, "c", 1)).toBe("d");
    expect(neighbor(fields, "c", -1)).toBe("a");
    expect(neighbor(fields, "a", -1)).toBeNull();
    expect(neighbor(fields, "e", 1)).toBeNull();
    expect(neighbor(fields, null, 1)).toBe("a");
  });
});

describe("the state of a field", () => {
  const field = { extraction_id: "e", path: "a", needs_review: true };
  const decided = decide(NO_STEPS, { number: 1, place: { extractionId: "e", documentId: "d", path: "a" }, decision: { kind: "accept" }, wasDue: true, wasLast: false, at: "" });
  it("is due, then decided, and due again after an undo, regardless of what was sent", () => {
    expect(stateOf(field, new Map(), NO_STEPS)).toBe("due");
    expect(stateOf(field, decisionsOf(decided), decided)).toBe("decided");
    const back = takeBack(decided).steps;
    expect(stateOf({ ...field, needs_review: false }, decisionsOf(back), back)).toBe("due");
  });
  it("is settled if it does not need review", () => {
    expect(stateOf({ ...field, needs_review: false }, new Map(), NO_STEPS)).toBe("settled");
  });
});
