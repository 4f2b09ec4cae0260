import { useState } from "react";
import { showToast } from "@/state/toasts";
import { type Group, groupKey, nextGroup } from "./queue";
import { undoLast } from "./session";

interface Standpoint {
  /** Null means the next one that was neither finished nor skipped. */
  group: string | null;
  path: string | null;
}

const START: Standpoint = { group: null, path: null };

/** Moves from document to document, and back after an undo. */
export function useWalk(groups: readonly Group[]) {
  const [at, setAt] = useState<Standpoint>(START);
  const [passed, setPassed] = useState<ReadonlySet<string>>(new Set());
  const current = (at.group === null ? null : groups.find((group) => groupKey(group) === at.group)) ?? nextGroup(groups, null, passed);
  const key = current === null ? null : groupKey(current);

  return {
    current,
    next: nextGroup(groups, key, passed),
    path: at.group === key ? at.path : null,
    go: (path: string) => setAt({ group: key, path }),
    goOn: () => {
      if (key === null) return;
      const now = new Set(passed).add(key);
      const next = nextGroup(groups, key, now);
      setPassed(now);
      setAt({ group: next === null ? null : groupKey(next), path: null });
    },
    goBack: () => {
      const before = groups[groups.findIndex((group) => groupKey(group) === key) - 1];
      if (before !== undefined) setAt({ group: groupKey(before), path: null });
    },
    startAgain: () => {
      setPassed(new Set());
      setAt(START);
    },
    undo: () => {
      const taken = undoLast();
      if (taken === null) return;
      const group = groupKey(taken.place);
      if (!groups.some((each) => groupKey(each) === group)) {
        showToast({ tone: "info", text: "Undone, in a document that is not in this list." });
        return;
      }
      const left = new Set(passed);
      left.delete(group);
      setPassed(left);
      setAt({ group, path: taken.place.path });
    },
  };
}

export type Walk = ReturnType<typeof useWalk>;
