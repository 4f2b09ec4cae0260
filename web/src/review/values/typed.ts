/** Converts input, or the text under a box, to a value of the field's type. */

import type { Leaf, Scalar } from "@/fields/leaf";

export type Typed = { ok: true; value: Scalar } | { ok: false; why: string };

const YES = new Set(["yes", "y", "true", "1", "on", "ja", "oui", "si", "sí", "x", "☑", "☒"]);
const NO = new Set(["no", "n", "false", "0", "off", "nein", "non", "☐"]);

/** Empty input means that the document does not contain the field. */
export function readTyped(text: string, leaf: Pick<Leaf, "kind" | "isDate" | "choices">): Typed {
  const clean = text.trim();
  if (clean === "") return { ok: true, value: null };
  if (leaf.kind === "boolean") return readYesNo(clean);
  if (leaf.choices !== null) return readChoice(clean, leaf.choices);
  if (leaf.kind === "number" || leaf.kind === "integer") return readNumber(clean, leaf.kind === "integer");
  return leaf.isDate ? readDate(clean) : { ok: true, value: clean };
}

/** The value as shown in the editor. */
export function asTyped(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function choiceWords(value: Scalar): string {
  if (value === true) return "Yes";
  if (value === false) return "No";
  return asTyped(value);
}

function readYesNo(text: string): Typed {
  const word = text.toLocaleLowerCase();
  if (YES.has(word)) return { ok: true, value: true };
  return NO.has(word) ? { ok: true, value: false } : { ok: false, why: "Choose yes or no." };
}

function readChoice(text: string, choices: readonly Exclude<Scalar, null>[]): Typed {
  const wanted = text.toLocaleLowerCase();
  const found = choices.find((each) => String(each).toLocaleLowerCase() === wanted);
  if (found !== undefined) return { ok: true, value: found };
  return { ok: false, why: `Choose one of ${choices.map(choiceWords).join(", ")}.` };
}

/** Groups of three digits may have a space or an apostrophe between them. */
const NUMBER = /\d{1,3}(?:[\s'’]\d{3})+(?!\d)(?:[.,]\d+)?|\d[\d.,]*/g;

function readNumber(text: string, whole: boolean): Typed {
  const negative = /^\(.*\)$/.test(text) || /^[^\d]*[-−–]/.test(text) || /\d\s*[-−]$/.test(text);
  const numbers = text.match(NUMBER) ?? [];
  if (numbers.length !== 1 || /\d\s*[-−–/:]\s*\d/.test(text)) return { ok: false, why: "Enter a number, like 1234.50." };
  const plain = withPoint((numbers[0] ?? "").replace(/[\s'’]/g, "").replace(/[.,]$/, ""));
  const value = plain === null ? Number.NaN : Number(plain);
  if (!Number.isFinite(value)) return { ok: false, why: "Enter a number, like 1234.50." };
  if (whole && !Number.isInteger(value)) return { ok: false, why: "Enter a whole number, like 12." };
  return { ok: true, value: negative && value !== 0 ? -value : value };
}

/** `1.234,50` and `1,234.50` are 1234.50: the last of two separators is the decimal one, and one that repeats is not. */
function withPoint(digits: string): string | null {
  const signs = digits.replace(/\d/g, "");
  const last = signs.at(-1);
  if (last === undefined) return digits;
  const isMixed = new Set(signs).size > 1;
  const repeats = signs.split(last).length > 2;
  if (isMixed && repeats) return null;
  const groups = /^\d{1,3}([.,]\d{3})+$/;
  if (repeats) return groups.test(digits) ? digits.replace(/[.,]/g, "") : null;
  if (isMixed) {
    const [before = "", after = ""] = digits.split(last);
    return groups.test(before) ? `${before.replace(/[.,]/g, "")}.${after}` : null;
  }
  return last === "," && groups.test(digits) ? digits.replace(",", "") : digits.replace(",", ".");
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const OTHER_MONTHS: Record<string, number> = { mär: 3, mrz: 3, mai: 5, okt: 10, dez: 12, fév: 2, avr: 4, juin: 6, juil: 7, aoû: 8, déc: 12 };
const LIKE = "Enter a date like 2026-01-31.";

function readDate(text: string): Typed {
  const year = /^(\d{4})[-./\s]+(\d{1,2})[-./\s]+(\d{1,2})(?:[T\s].*)?$/.exec(text);
  if (year) return dateOf(Number(year[1]), Number(year[2]), Number(year[3]));
  const numbers = /^(\d{1,2})\s*([-./])\s*(\d{1,2})\s*[-./]\s*(\d{2}|\d{4})$/.exec(text);
  if (numbers) return readNumericDate(Number(numbers[1]), Number(numbers[3]), fullYear(numbers[4] ?? ""), numbers[2] ?? "");
  const words = text.match(/\p{L}+|\d+/gu) ?? [];
  const month = words.map(monthOf).find((each) => each !== null);
  const [first, second] = words.filter((word) => /^\d+$/.test(word));
  if (!month || first === undefined || second === undefined) return { ok: false, why: LIKE };
  return first.length === 4 ? dateOf(Number(first), month, Number(second)) : dateOf(fullYear(second), month, Number(first));
}

function readNumericDate(first: number, second: number, year: number, sign: string): Typed {
  if (sign === "." || first > 12 || first === second) return dateOf(year, second, first);
  if (second > 12) return dateOf(year, first, second);
  return { ok: false, why: `Day or month first? ${LIKE}` };
}

function fullYear(digits: string): number {
  const year = Number(digits);
  return digits.length > 2 ? year : year + (year < 70 ? 2000 : 1900);
}

function monthOf(word: string): number | null {
  const lower = word.toLocaleLowerCase();
  const index = MONTHS.indexOf(lower.slice(0, 3));
  if (index >= 0) return index + 1;
  return Object.entries(OTHER_MONTHS).find(([begin]) => lower.startsWith(begin))?.[1] ?? null;
}

function dateOf(year: number, month: number, day: number): Typed {
  const moment = new Date(Date.UTC(year, month - 1, day));
  moment.setUTCFullYear(year);
  if (moment.getUTCMonth() !== month - 1 || moment.getUTCDate() !== day) return { ok: false, why: `This day does not exist. ${LIKE}` };
  return { ok: true, value: moment.toISOString().slice(0, 10) };
}

/** The value to be saved, if it looks different from the input. Dates are spelled out. */
export function understoodAs(text: string, typed: Typed, leaf: Pick<Leaf, "isDate">): string | null {
  if (!typed.ok || typed.value === null) return null;
  if (leaf.isDate) {
    const options = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
    return new Date(`${String(typed.value)}T00:00:00Z`).toLocaleDateString(undefined, options);
  }
  const kept = choiceWords(typed.value);
  return kept === text.trim() ? null : kept;
}
