/** Selects the mark for a click. */

/**
 * The top mark under the pointer. If one of them is already highlighted, the next one, so that further clicks cycle
 * through overlapping marks. `under` are their ids in mark order, which highlighting does not change.
 */
export function picked(under: readonly string[], top: string, active: string | null): string {
  const different = [...new Set(under)];
  const lit = active === null ? -1 : different.indexOf(active);
  return lit < 0 ? top : (different[(lit + 1) % different.length] ?? top);
}

/** Ids of the marks at the position of a click. A click by keyboard has no position, so the mark's center is used. */
export function marksUnder(event: React.MouseEvent<HTMLElement>): ReadonlySet<string> {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  const [x, y] = event.detail === 0 ? [left + width / 2, top + height / 2] : [event.clientX, event.clientY];
  return new Set(document.elementsFromPoint(x, y).flatMap((element) => element.getAttribute("data-mark") ?? []));
}
