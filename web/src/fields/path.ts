/** Paths of fields (`line_items[0].unit_price`) and their display names. */

export interface Step {
  name: string;
  /** List indices from 0: `a[1][2]` has two. */
  indices: number[];
}

export function parsePath(path: string): Step[] {
  return path.split(".").map((part) => {
    const bracket = part.indexOf("[");
    if (bracket < 0) return { name: part, indices: [] };
    const indices = [...part.slice(bracket).matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
    return { name: part.slice(0, bracket), indices };
  });
}

const SHORT = new Set(["bic", "ein", "iban", "id", "po", "ssn", "swift", "tin", "url", "vat", "zip"]);

/** `vat_id` → “VAT ID”, `unitPrice` → “Unit price”. */
export function nameInWords(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => (SHORT.has(word.toLowerCase()) ? word.toUpperCase() : /^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()));
  const joined = words.join(" ");
  return joined.charAt(0).toUpperCase() + joined.slice(1);
}
