import { describe, expect, it } from "vitest";
import { groupFields } from "./groups";
import { byPath, inWords, namingOf } from "./naming";
import { nameInWords, parsePath } from "./path";
import { neighbor } from "./pointing";

const of = (...paths: string[]) => groupFields(paths.map((path) => ({ path })));

describe("groups of fields", () => {
  it("keep the schema's order: totals stay behind the lines that they sum up", () => {
    const groups = of("number", "date", "seller.name", "items[0].price", "seller.city", "items[1].price", "total");
    expect(groups.map(({ kind, title }) => [kind, title])).toEqual([
      ["plain", null],
      ["plain", "Seller"],
      ["table", "Items"],
      ["plain", null],
    ]);
    expect(groups[1]).toMatchObject({ fields: [{ label: "Name" }, { label: "City" }] });
  });

  it("show a list as a table, with rows by number and columns in order of appearance", () => {
    const [table] = of("items[2].name", "items[0].name", "items[0].price", "items[10].price");
    if (table?.kind !== "table") throw new Error("no table");
    expect(table.columns.map(({ label }) => label)).toEqual(["Name", "Price"]);
    expect(table.rows.map(({ index }) => index)).toEqual([0, 2, 10]);
    expect(table.rows[0]?.cells.get("price")?.path).toBe("items[0].price");
  });

  it("show a list of scalar values as a table with one column", () => {
    const [table] = of("tags[0]", "tags[1]");
    expect(table).toMatchObject({ kind: "table", columns: [{ key: "", label: "Tags" }], rows: [{ index: 0 }, { index: 1 }] });
  });

  it("distinguish lists with the same name in different parts", () => {
    expect(of("buyer.lines[0]", "seller.lines[0]").map(({ title }) => title)).toEqual(["Buyer › Lines", "Seller › Lines"]);
  });

  it("use the schema's titles, with its descriptions as hints", () => {
    const schema = {
      properties: {
        nr: { type: "string", title: "Rechnungsnummer", description: "as printed at the top" },
        seller: { title: "Verkäufer", properties: { city: { type: "string" } } },
        items: { title: "Positionen", items: { properties: { price: { type: "number", title: "Preis", description: "net" }, parts: { items: { properties: { n: {} } } } } } },
        grid: { title: "Raster", items: { items: { type: "number" } } },
      },
    };
    const paths = ["nr", "seller.city", "items[0].price", "items[0].parts[1].n", "grid[0][1]"];
    expect(groupFields(paths.map((path) => ({ path })), namingOf(schema))).toMatchObject([
      { title: null, fields: [{ label: "Rechnungsnummer", hint: "as printed at the top" }] },
      { title: "Verkäufer", fields: [{ label: "City", hint: "" }] },
      { title: "Positionen", columns: [{ label: "Preis", hint: "net" }, { label: "Parts 2 › N" }] },
      { title: "Raster", columns: [{ label: "2" }] },
    ]);
  });
});

describe("paths", () => {
  it("are split with their list indices", () => {
    expect(parsePath("a.b[1][2].c")).toEqual([
      { name: "a", indices: [] },
      { name: "b", indices: [1, 2] },
      { name: "c", indices: [] },
    ]);
  });

  it("are written in words", () => {
    expect(inWords(byPath("line_items[0].unit_price"))).toBe("Line items 1 › Unit price");
    expect(nameInWords("vat_id")).toBe("VAT ID");
    expect(nameInWords("unitPrice")).toBe("Unit price");
    expect(nameInWords("")).toBe("");
  });
});

it("goes from field to field and stays at both ends", () => {
  const order = ["a", "b", "c"];
  expect(neighbor(order, null, 1)).toBe("a");
  expect(neighbor(order, null, -1)).toBe("c");
  expect(neighbor(order, "b", 1)).toBe("c");
  expect(neighbor(order, "c", 1)).toBe("c");
  expect(neighbor([], "c", 1)).toBeUndefined();
});
