/** Light or dark theme: the user's choice, or the system's setting. */

import { useSyncExternalStore } from "react";
import { watched } from "./watched";

export type Theme = "light" | "dark";

const KEPT = "docsieve.theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");
const chosen = watched<Theme | null>(readChoice());

function readChoice(): Theme | null {
  const kept = localStorage.getItem(KEPT);
  return kept === "light" || kept === "dark" ? kept : null;
}

function current(): Theme {
  return chosen.get() ?? (system.matches ? "dark" : "light");
}

function apply(): void {
  document.documentElement.dataset["theme"] = current();
}

export function startTheme(): void {
  apply();
  chosen.subscribe(apply);
  system.addEventListener("change", () => {
    apply();
    chosen.tell();
  });
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEPT, theme);
  chosen.set(theme);
}

export function useTheme(): Theme {
  return useSyncExternalStore(chosen.subscribe, current);
}
