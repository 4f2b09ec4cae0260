import { useRef, useState } from "react";
import { heldValue } from "@/fields/state";
import { showToast } from "@/state/toasts";
import type { Drawn } from "@/viewer/layers/mark";
import { leafOf, type Leaf, type Scalar } from "@/fields/leaf";
import { neighbor, type Group, nextDue } from "@/review/walk/queue";
import { decideField } from "@/review/walk/session";
import type { ReviewAction } from "@/review/keys/shortcuts";
import type { Box, Decision } from "@/review/walk/steps";
import { asTyped, readTyped } from "@/review/values/typed";
import type { GroupField, GroupFields } from "@/review/walk/useGroup";

interface Draft {
  text: string;
  page: number | null;
  box: Box | null;
}

const NOWHERE = { page: null, box: null };

export interface Ways {
  /** To the next document. */
  goOn: () => void;
  goBack: () => void;
  undo: () => void;
  help: () => void;
}

interface Given {
  group: Group;
  loaded: GroupFields;
  at: string | null;
  go: (path: string) => void;
  readOnly: boolean;
  ways: Ways;
}

/** State of the review page: moving between fields, typing, drawing and deciding. */
export function useDesk({ group, loaded: { fields, schema }, at, go, readOnly, ways }: Given) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [drawing, setDrawing] = useState(false);
  const [strict, setStrict] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const editor = useRef<HTMLTextAreaElement>(null);

  const current: GroupField | null = fields.find((each) => each.path === at) ?? firstOf(fields);
  const path = current?.path ?? "";
  const leaf: Leaf = leafOf(schema, path);
  const held = current === null ? null : heldValue(current.field);
  const draft = drafts.get(path) ?? null;
  const due = fields.filter((each) => each.state === "due").length;

  const setDraft = (made: Draft | null) => {
    const changed = new Map(drafts);
    if (made === null) changed.delete(path);
    else changed.set(path, made);
    setDrafts(changed);
    setStrict(false);
  };
  const move = (to: string | null, beyond: () => void) => {
    setDrawing(false);
    if (to === null) beyond();
    else go(to);
  };
  const onward = () => move(nextDue(fields, path), ways.goOn);
  const walk = (by: 1 | -1) => move(neighbor(fields, path, by), by === 1 ? ways.goOn : ways.goBack);

  const keep = (decision: Decision) => {
    if (current === null) return;
    const wasDue = current.state === "due";
    decideField({ extractionId: group.extractionId, documentId: group.documentId, path }, decision, { wasDue, wasLast: wasDue && due === 1 });
    setDraft(null);
  };
  const correct = (value: Scalar, page: number | null = null, box: Box | null = null) =>
    keep(value === held && (box === null || value === null) ? { kind: "accept" } : { kind: "correct", value, ...(value === null ? NOWHERE : { page, box }) });
  /** Saves the input; false if it is invalid. */
  const commit = (): boolean => {
    if (draft === null) return true;
    const typed = readTyped(draft.text, leaf);
    if (typed.ok) correct(typed.value, draft.page, draft.box);
    else {
      setStrict(true);
      editor.current?.focus();
    }
    return typed.ok;
  };
  const accept = () => {
    if (draft === null && current?.state !== "decided") keep({ kind: "accept" });
    else if (!commit()) return;
    onward();
  };
  const choose = (value: Scalar) => {
    correct(value);
    onward();
  };
  const edit = () => {
    if (leaf.choices === null) editor.current?.select();
    else card.current?.querySelector<HTMLElement>("button, select")?.focus();
  };

  const act = (action: ReviewAction) => {
    if (action === "help") ways.help();
    else if (action === "skip") {
      if (readOnly || commit()) ways.goOn();
    } else if (action === "next" || action === "previous") {
      if (readOnly || commit()) walk(action === "next" ? 1 : -1);
    } else if (readOnly || current === null) return;
    else if (action === "accept") accept();
    else if (action === "absent") choose(null);
    else if (action === "edit") edit();
    else if (action === "draw") setDrawing(!drawing);
    else ways.undo();
  };
  const type = (sign: string) => {
    if (readOnly) return;
    const choice = leaf.choices?.[Number(sign) - 1];
    if (choice !== undefined) choose(choice);
    if (leaf.choices !== null) return;
    setDraft({ text: sign, page: null, box: null });
    editor.current?.focus();
  };
  const drawn = ({ page, box, text }: Drawn) => {
    setDrawing(false);
    const typed = readTyped(text, leaf);
    if (text.trim() === "") showToast({ tone: "info", text: "No text under the box. Type the value instead." });
    if (leaf.choices !== null) {
      if (typed.ok && typed.value !== null) {
        correct(typed.value, page, box);
        onward();
      } else if (!typed.ok) showToast({ tone: "bad", text: `“${text}” is not valid here. ${typed.why}` });
      return;
    }
    setDraft({ text: text.trim() === "" ? (draft?.text ?? asTyped(held)) : text, page, box });
    setStrict(!typed.ok);
    editor.current?.focus();
  };
  const leave = () => {
    if (drawing) setDrawing(false);
    else if (draft !== null) setDraft(null);
    else if (card.current?.contains(document.activeElement) === true) {
      document.querySelector<HTMLElement>("[data-review-actions] button:enabled")?.focus();
      return;
    }
    card.current?.focus({ preventScroll: true });
  };

  return {
    current,
    leaf,
    held,
    draft,
    due,
    asked: fields.filter((each) => each.state !== "settled").length,
    text: draft?.text ?? asTyped(held),
    typeText: (text: string) => setDraft({ text, page: draft?.page ?? null, box: draft?.box ?? null }),
    strict,
    drawing,
    drawn,
    card,
    editor,
    act,
    type,
    choose,
    leave,
  };
}

function firstOf(fields: readonly GroupField[]): GroupField | null {
  return fields.find((each) => each.state === "due") ?? fields[0] ?? null;
}
