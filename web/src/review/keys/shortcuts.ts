/** Keyboard shortcuts. Plain letters can be switched off; with Alt they always work, even while typing. */

import { useSyncExternalStore } from "react";
import { watched } from "@/state/watched";

export type ReviewAction = "accept" | "edit" | "draw" | "absent" | "next" | "previous" | "undo" | "skip" | "help";

export const LETTERS: Record<Exclude<ReviewAction, "accept" | "help">, string> = {
  edit: "e",
  draw: "b",
  absent: "x",
  next: "n",
  previous: "p",
  undo: "u",
  skip: "s",
};

const BY_LETTER = new Map(Object.entries(LETTERS).map(([action, letter]) => [letter, action as ReviewAction]));

interface Pressed {
  key: string;
  code: string;
  altKey: boolean;
}

/** The action of a key. With Alt it depends on the key's position, because some systems type other letters with Alt. */
export function actionOf({ key, code, altKey }: Pressed, plainLetters: boolean): ReviewAction | null {
  if (altKey) return code.startsWith("Key") ? (BY_LETTER.get(code.slice(3).toLowerCase()) ?? null) : null;
  return plainLetters ? (BY_LETTER.get(key.toLowerCase()) ?? null) : null;
}

/** Whether a character starts a new value, which the shortcuts of the page view do not. */
export function beginsValue({ key, altKey }: Pressed): boolean {
  return !altKey && [...key].length === 1 && /[^\s[\]+=/?-]/.test(key);
}

const KEPT = "docsieve.review.letters";
const plain = watched<boolean>(typeof localStorage === "undefined" || localStorage.getItem(KEPT) !== "off");

export function choosePlainLetters(on: boolean): void {
  localStorage.setItem(KEPT, on ? "on" : "off");
  plain.set(on);
}

export function usePlainLetters(): boolean {
  return useSyncExternalStore(plain.subscribe, plain.get);
}
