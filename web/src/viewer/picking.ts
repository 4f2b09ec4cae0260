/** Which mark a click means. */

/**
 * The one on top; where one of those under the pointer is lit already, the next of them, so that further clicks go
 * round all that share a place. `under` are their ids in the order of the marks, which lighting does not change.
 */
export function picked(under: readonly string[], top: string, active: string | null): string {
  const different = [...new Set(under)];
  const lit = active === null ? -1 : different.indexOf(active);
  return lit < 0 ? top : (different[(lit + 1) % different.length] ?? top);
}

/** Ids of the marks at the place of a click; a key that clicks has no place of its own, so that it is the mark's middle. */
export function marksUnder(event: React.MouseEvent<HTMLElement>): ReadonlySet<string> {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  const [x, y] = event.detail === 0 ? [left + width / 2, top + height / 2] : [event.clientX, event.clientY];
  return new Set(document.elementsFromPoint(x, y).flatMap((element) => element.getAttribute("data-mark") ?? []));
}
