import { describe, expect, it } from "vitest";
import type { DocumentRead } from "@/api/documents";
import { belongs, type DocumentPages, rowsOf, withEach, withNew, without, withRow, withTop } from "./listCache";

const row = (id: string, more: Partial<DocumentRead> = {}) => ({ id, filename: `${id}.pdf`, status: "ready", project: "default", ...more }) as DocumentRead;
const page = (ids: string[], total: number, next_cursor: string | null = null) => ({ documents: ids.map((id) => row(id)), total, next_cursor });
const pages = (...parts: ReturnType<typeof page>[]): DocumentPages => ({ pages: parts, pageParams: parts.map(() => null) });
const ids = (given: DocumentPages) => rowsOf(given).map(({ id }) => id).join("");

/** Ids grow with time, so the newest is the largest. */
const LOADED = pages(page(["9", "8", "7"], 5, "next"), page(["6", "5"], 5));

describe("the cached lists", () => {
  it("show a row once even if two pages contain it", () => {
    expect(ids(pages(page(["9", "8"], 3, "next"), page(["8", "7"], 3)))).toBe("987");
  });

  it("show new rows at the top and count them, but no row twice", () => {
    const grown = withNew(LOADED, [row("b"), row("a"), row("9")]);
    expect(ids(grown)).toBe("ba98765");
    expect(grown.pages.map((each) => each.total)).toEqual([7, 7]);
  });

  it("remove deleted rows from the rows and the count", () => {
    const shrunk = without(LOADED, new Set(["8", "5", "unknown"]));
    expect(ids(shrunk)).toBe("976");
    expect(shrunk.pages[0]?.total).toBe(3);
  });

  it("keep pages without a changed row, so that they are not rendered again", () => {
    const changed = withRow(LOADED, row("6", { status: "failed" }));
    expect(changed.pages[0]).toBe(LOADED.pages[0]);
    expect(rowsOf(changed)[3]?.status).toBe("failed");
    expect(withEach(LOADED, new Set(["unknown"]), () => row("x"))).toBe(LOADED);
  });
});

describe("a refetched first page", () => {
  it("adds new rows, removes deleted ones and keeps the pages below", () => {
    const merged = withTop(LOADED, page(["a", "9", "7"], 5, "next"), true);
    expect(ids(merged)).toBe("a9765");
    expect(merged.pages[0]?.total).toBe(5);
  });

  it("keeps documents that were uploaded while it was fetched", () => {
    const merged = withTop(withNew(LOADED, [row("b")]), page(["9", "8", "7"], 5, "next"), true);
    expect(ids(merged)).toBe("b98765");
    expect(merged.pages[0]?.total).toBe(6);
  });

  it("replaces everything if it does not overlap with the loaded rows", () => {
    expect(ids(withTop(LOADED, page(["e", "d", "c"], 50, "next"), true))).toBe("edc");
  });

  it("in a different sort order replaces everything if any row is unknown", () => {
    expect(ids(withTop(LOADED, page(["9", "8", "a"], 6, "next"), false))).toBe("98a");
    expect(ids(withTop(LOADED, page(["9", "8", "7"], 5, "next"), false))).toBe("98765");
  });
});

describe("a document that was just uploaded", () => {
  it("belongs to the lists whose filter it matches", () => {
    const sent = row("a", { status: "pending", filename: "Invoice 7.PDF", project: "north" });
    const sort = "-created_at" as const;
    expect(belongs(sent, { sort })).toBe(true);
    expect(belongs(sent, { sort, status: "pending", name: "invoice", project: "north" })).toBe(true);
    expect(belongs(sent, { sort, status: "failed" })).toBe(false);
    expect(belongs(sent, { sort, project: "south" })).toBe(false);
    expect(belongs(sent, { sort, class: "invoice" })).toBe(false);
    expect(belongs(sent, { sort, needs_review: true })).toBe(false);
  });
});
