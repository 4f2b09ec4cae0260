/** The selected rows, and the row where a Shift range starts. */
export interface Selection {
  ids: ReadonlySet<string>;
  anchor: string | null;
}

export const NOTHING: Selection = { ids: new Set(), anchor: null };

export function toggled(selection: Selection, id: string): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id };
}

/** All rows from the anchor to this row get the new state of this row. Without an anchor, only this row changes. */
export function ranged(selection: Selection, order: readonly string[], id: string): Selection {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor);
  const to = order.indexOf(id);
  if (from < 0 || to < 0) return toggled(selection, id);
  const ids = new Set(selection.ids);
  const select = !selection.ids.has(id);
  for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (select) ids.add(each);
    else ids.delete(each);
  }
  return { ids, anchor: id };
}

export function allOf(order: readonly string[]): Selection {
  return { ids: new Set(order), anchor: null };
}

/** Rows that are no longer shown are deselected, because actions on invisible rows would be surprising. */
export function among(selection: Selection, order: readonly string[]): Selection {
  if (selection.ids.size === 0) return selection;
  const kept = order.filter((id) => selection.ids.has(id));
  return kept.length === selection.ids.size ? selection : { ids: new Set(kept), anchor: selection.anchor };
}
