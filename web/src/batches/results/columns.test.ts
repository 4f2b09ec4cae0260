import { expect, it } from "vitest";
import type { Result } from "@/api/batches";
import { columnsOf, listInWords, valueAt } from "./columns";

const result = (value: unknown, doubtful: string[] = []): Result => ({
  extraction_id: "e",
  group: "g",
  status: value === null ? "failed" : "completed",
  value,
  confidence: 0.9,
  needs_review: false,
  documents: [],
  missing: [],
  error: null,
  fields: doubtful.map((path) => ({ path, confidence: 0.2, needs_review: true, document_id: "d" })),
});

it("has a column per field of nested objects and one per list, in the order of the values", () => {
  const columns = columnsOf([result({ number: "A1", seller: { name: "Ann", city: null }, items: [{ price: 1 }] })]);
  expect(columns.map(({ path, list }) => [path, list])).toEqual([
    ["number", false],
    ["seller.name", false],
    ["seller.city", false],
    ["items", true],
  ]);
});

it("calls a column empty only if no result has a value or a field to review in it", () => {
  const columns = columnsOf([result({ a: null, b: null, c: null, d: [] }), result({ a: 1, b: null, c: null, d: [] }, ["b"])]);
  expect(columns.map(({ path, empty }) => [path, empty])).toEqual([
    ["a", false],
    ["b", false],
    ["c", true],
    ["d", true],
  ]);
});

it("unites the columns of results with different schemas, and skips those without a value", () => {
  expect(columnsOf([result(null), result({ a: 1 }), result({ b: 2, a: 3 })]).map(({ path }) => path)).toEqual(["a", "b"]);
});

it("aligns a column as numbers only if all its values are numbers", () => {
  const columns = columnsOf([result({ a: 1, b: 1, c: null }), result({ a: null, b: "x", c: null })]);
  expect(columns.map(({ numeric }) => numeric)).toEqual([true, false, true]);
});

it("finds values by path, and nothing where there is nothing", () => {
  expect(valueAt({ seller: { name: "Ann" } }, "seller.name")).toBe("Ann");
  expect(valueAt({ seller: null }, "seller.name")).toBeUndefined();
});

it("shows lists of texts, and counts the items of other lists", () => {
  expect([listInWords(["a", "b"]), listInWords([{}]), listInWords([{}, {}])]).toEqual(["a, b", "1 item", "2 items"]);
});
