import { useEffect, useEffectEvent } from "react";
import { typesInto } from "@/viewer/useViewerKeys";
import { actionOf, beginsValue, type ReviewAction } from "./shortcuts";

/** Marks the value's editor, where plain letters are text. */
export const EDITOR = "data-review-editor";
/** Marks the current field. Only there does Tab move to the next field instead of the next control. */
export const CURRENT = "data-review-current";

interface Keys {
  plainLetters: boolean;
  drawing: boolean;
  act: (action: ReviewAction) => void;
  /** A character was typed outside the editor. */
  type: (sign: string) => void;
  /** Escape: stop drawing or editing. */
  leave: () => void;
}

/** Keyboard control of the review, wherever the focus is. */
export function useReviewKeys(keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (handle(event, keys)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

function handle(event: KeyboardEvent, { plainLetters, drawing, act, type, leave }: Keys): boolean {
  const target = event.target instanceof Element ? event.target : null;
  const inEditor = target?.closest(`[${EDITOR}]`) != null;
  if (!inEditor && typesInto(target)) return false;
  if (event.key === "Escape") {
    leave();
    return true;
  }
  const action = actionOf(event, plainLetters && !inEditor);
  if (drawing) return action === "draw" ? (leave(), true) : false;
  if (action !== null) {
    act(action);
    return true;
  }
  if (event.key === "Enter") return !isOperated(target) && (act("accept"), true);
  if (event.key === "Tab") return isCurrent(target) && !event.altKey && (act(event.shiftKey ? "previous" : "next"), true);
  if (inEditor) return false;
  if (event.key === "?") {
    act("help");
    return true;
  }
  return beginsValue(event) && (type(event.key), true);
}

/** Enter already has a function there. */
function isOperated(target: Element | null): boolean {
  return target?.closest("button, a, summary, [role=button]") != null;
}

function isCurrent(target: Element | null): boolean {
  return target === document.body || target?.closest(`[${CURRENT}], [${EDITOR}]`) != null;
}
