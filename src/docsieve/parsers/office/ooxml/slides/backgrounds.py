"""The texts that layouts and masters show on their slides."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from docsieve.parsers.flow.blocks import Block
from docsieve.parsers.office.markup import Element, attribute, child, number, part
from docsieve.parsers.office.ooxml.opc import Relation, relations_of, targets
from docsieve.parsers.office.ooxml.slides.shape_text import (
    has_known_fields,
    is_numbered,
    set_slide_number,
    shape_blocks,
)
from docsieve.parsers.office.ooxml.slides.shapes import Shape, shapes_in_reading_order
from docsieve.parsers.office.package import Package

_OFF = frozenset({"0", "false"})
_USUAL_WIDTH, _USUAL_HEIGHT = 9_144_000, 6_858_000


@dataclass(frozen=True, slots=True)
class _Background:
    """The shapes of a layout or master, those with the slide number, and the master behind a layout."""

    shapes: list[Shape]
    numbered: list[Shape]
    relations: dict[str, Relation]
    master: str | None


class Backgrounds:
    """Texts are yielded once, with the first slide that shows them, and slide numbers with every slide."""

    def __init__(self, package: Package, presentation: Element) -> None:
        self._package = package
        size = child(presentation, "sldSz")
        self._width, self._height = number(size, "cx", _USUAL_WIDTH), number(size, "cy", _USUAL_HEIGHT)
        self._known: dict[str, _Background] = {}

    def behind(self, slide: Element, relations: dict[str, Relation], place: int) -> Iterator[Block]:
        layout = next(iter(targets(relations, "slideLayout")), None) if _shows_background(slide) else None
        if layout is None:
            return
        master = yield from self._texts(layout, place)
        if master is not None:
            yield from self._texts(master, place)

    def _texts(self, name: str, place: int) -> Generator[Block, None, str | None]:
        """Yield the texts of a layout or master; return the name of the master behind a layout."""
        if name in self._known:
            background = self._known[name]
            shown = background.numbered
        else:
            background = self._known[name] = self._read(name)
            shown = background.shapes
        for shape in background.numbered:
            set_slide_number(shape.element, place)
        for shape in shown:
            yield from shape_blocks(self._package, shape, background.relations)
        return background.master

    def _read(self, name: str) -> "_Background":
        root = part(self._package, name)
        if root is None:
            return _Background([], [], {}, None)
        relations = relations_of(self._package, name)
        tree = child(root, "cSld", "spTree")
        shapes = shapes_in_reading_order(tree, {}) if tree is not None else []
        written = [shape for shape in shapes if self._is_written(shape)]
        master = next(iter(targets(relations, "slideMaster")), None) if _shows_background(root) else None
        return _Background(written, [shape for shape in written if is_numbered(shape.element)], relations, master)

    def _is_written(self, shape: Shape) -> bool:
        """Whether slides show it. A placeholder holds a prompt that they do not, nor fields of an unknown kind."""
        return shape.kind is None and has_known_fields(shape.element) and self._is_on_slide(shape)

    def _is_on_slide(self, shape: Shape) -> bool:
        """Designers leave notes for authors next to the slide."""
        size = child(shape.element, "spPr", "xfrm", "ext")
        right, bottom = shape.left + number(size, "cx", 1), shape.top + number(size, "cy", 1)
        return shape.left < self._width and shape.top < self._height and right > 0 and bottom > 0


def _shows_background(root: Element) -> bool:
    return (attribute(root, "showMasterSp") or "1").lower() not in _OFF
