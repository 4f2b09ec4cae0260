"""What layouts and masters write upon every slide that follows them."""

from collections.abc import Iterator

from docsieve.parsers.blocks import Block
from docsieve.parsers.office.markup import Element, attribute, child, number, part, within
from docsieve.parsers.office.opc import Relation, relations_of, targets
from docsieve.parsers.office.package import Package
from docsieve.parsers.office.shape_text import shape_blocks
from docsieve.parsers.office.slide_shapes import Shape, shapes_in_reading_order

_OFF = frozenset({"0", "false"})
_USUAL_WIDTH, _USUAL_HEIGHT = 9_144_000, 6_858_000


class Backgrounds:
    """Their texts are given once, with the first slide that shows them."""

    def __init__(self, package: Package, presentation: Element) -> None:
        self._package = package
        size = child(presentation, "sldSz")
        self._width, self._height = number(size, "cx", _USUAL_WIDTH), number(size, "cy", _USUAL_HEIGHT)
        self._given: set[str] = set()

    def behind(self, slide: Element, relations: dict[str, Relation]) -> Iterator[Block]:
        for layout in targets(relations, "slideLayout")[:1] if _shows_what_is_behind(slide) else ():
            yield from self._once(layout)

    def _once(self, name: str) -> Iterator[Block]:
        root = part(self._package, name) if name not in self._given else None
        self._given.add(name)
        if root is None:
            return
        relations = relations_of(self._package, name)
        tree = child(root, "cSld", "spTree")
        for shape in shapes_in_reading_order(tree, {}) if tree is not None else ():
            # A placeholder holds a prompt that no reader of the slides sees, a field what is on no slide.
            is_written = shape.kind is None and next(within(shape.element, "fld"), None) is None
            if is_written and self._is_on_slide(shape):
                yield from shape_blocks(self._package, shape, relations)
        for master in targets(relations, "slideMaster")[:1] if _shows_what_is_behind(root) else ():
            yield from self._once(master)

    def _is_on_slide(self, shape: Shape) -> bool:
        """Designers leave notes for authors beside the slide."""
        size = child(shape.element, "spPr", "xfrm", "ext")
        right, bottom = shape.left + number(size, "cx", 1), shape.top + number(size, "cy", 1)
        return shape.left < self._width and shape.top < self._height and right > 0 and bottom > 0


def _shows_what_is_behind(root: Element) -> bool:
    return (attribute(root, "showMasterSp") or "1").lower() not in _OFF
