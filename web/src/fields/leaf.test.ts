import { describe, expect, it } from "vitest";
import { leafOf } from "./leaf";

const SCHEMA = {
  type: "object",
  properties: {
    issue_date: { type: "string", format: "date", description: "when" },
    paid: { type: ["boolean", "null"] },
    currency: { enum: ["EUR", "USD", null] },
    line_items: { type: "array", title: "Positions", items: { $ref: "#/$defs/Line" } },
  },
  $defs: {
    Line: { type: "object", properties: { unitPrice: { anyOf: [{ type: "null" }, { type: "number" }] }, endless: { $ref: "#/$defs/Loop" } } },
    Loop: { $ref: "#/$defs/Loop" },
  },
};

describe("leafOf", () => {
  it("knows a date", () => {
    expect(leafOf(SCHEMA, "issue_date")).toEqual({ kind: "string", isDate: true, choices: null, description: "when", words: ["Issue date"] });
  });
  it("offers yes and no for a boolean that may be null", () => {
    expect(leafOf(SCHEMA, "paid").choices).toEqual([true, false]);
  });
  it("offers the values of an enum except null", () => {
    expect(leafOf(SCHEMA, "currency").choices).toEqual(["EUR", "USD"]);
  });
  it("resolves arrays, references and alternatives, and counts rows from one", () => {
    expect(leafOf(SCHEMA, "line_items[1].unitPrice")).toMatchObject({ kind: "number", words: ["Positions 2", "Unit price"] });
  });
  it("treats unknown types as text", () => {
    expect(leafOf(null, "a.b[0]")).toMatchObject({ kind: "string", choices: null, words: ["A", "B 1"] });
  });
  it("stops at a circular reference", () => {
    expect(leafOf(SCHEMA, "line_items[0].endless").kind).toBe("string");
  });
});
