import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { DocumentRead } from "@/api/documents";
import { explain } from "@/components/explain";
import { showToast } from "@/state/toasts";
import { allOf, among, NOTHING, ranged, type Selection, toggled } from "./selection";
import type { DocumentList } from "./useDocumentList";

export interface SelectedDocuments {
  selection: Selection;
  rows: readonly DocumentRead[];
  /** All rows are being loaded to be selected. */
  gathering: boolean;
  select: (id: string, range: boolean) => void;
  selectAll: (all: boolean) => void;
  clear: () => void;
}

export function useSelection({ rows, loadAll }: DocumentList): SelectedDocuments {
  const [held, setHeld] = useState(NOTHING);
  const [gathering, setGathering] = useState(false);
  const order = useMemo(() => rows.map((row) => row.id), [rows]);
  const selection = useMemo(() => among(held, order), [held, order]);
  const selected = useMemo(() => (selection.ids.size === 0 ? [] : rows.filter((row) => selection.ids.has(row.id))), [rows, selection]);
  const latest = useRef(order);
  useEffect(() => {
    latest.current = order;
  }, [order]);
  const select = useCallback((id: string, range: boolean) => {
    setHeld((former) => (range ? ranged(former, latest.current, id) : toggled(former, id)));
  }, []);
  const clear = useCallback(() => setHeld(NOTHING), []);
  const selectAll = async (all: boolean) => {
    if (!all) return clear();
    setGathering(true);
    try {
      setHeld(allOf(await loadAll()));
    } catch (error) {
      showToast({ tone: "bad", text: `Not all could be selected. ${explain(error)}` });
    } finally {
      setGathering(false);
    }
  };
  useEscape(clear);
  return { selection, rows: selected, gathering, select, selectAll: (all) => void selectAll(all), clear };
}

/** Escape clears the selection, unless a dialog or an input handles it. */
function useEscape(clear: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const inside = event.target instanceof Element && event.target.closest("dialog, select, input:not([type=checkbox])");
      if (event.key === "Escape" && !inside) clear();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [clear]);
}
