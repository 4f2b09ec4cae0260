"""The positions of the shapes of a slide, and their reading order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docsieve.parsers.office.markup import Element, attribute, child, name_of, number, part, within
from docsieve.parsers.office.ooxml.opc import Relation, relations_of, targets
from docsieve.parsers.office.package import Package

_SHAPES = frozenset({"sp", "graphicFrame", "pic", "cxnSp", "contentPart"})
_TITLES = frozenset({"title", "ctrTitle"})
# Shapes whose tops differ by less than a quarter of an inch are side by side.
_BAND = 228_600

Place = tuple[float, float]
"""Left and top, in EMU."""


@dataclass(frozen=True, slots=True)
class Shape:
    element: Element
    left: float
    top: float
    kind: str | None

    @property
    def is_title(self) -> bool:
        return self.kind in _TITLES


@dataclass(frozen=True, slots=True)
class _Scale:
    """Converts coordinates inside a group to those of the slide."""

    x: float = 0.0
    y: float = 0.0
    across: float = 1.0
    down: float = 1.0

    def apply(self, place: Place) -> Place:
        return self.x + place[0] * self.across, self.y + place[1] * self.down

    def inside(self, group: Element) -> "_Scale":
        frame = child(group, "grpSpPr", "xfrm")
        offset, size = child(frame, "off"), child(frame, "ext")
        inner_offset, inner_size = child(frame, "chOff"), child(frame, "chExt")
        across = number(size, "cx", 1) / (number(inner_size, "cx", 1) or 1)
        down = number(size, "cy", 1) / (number(inner_size, "cy", 1) or 1)
        x = number(offset, "x") - number(inner_offset, "x") * across
        y = number(offset, "y") - number(inner_offset, "y") * down
        left, top = self.apply((x, y))
        return _Scale(left, top, self.across * across, self.down * down)


class Placeholders:
    """Placeholders inherit their positions from the slide's layout, and those of the layout from its master."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._known: dict[str, dict[str, Place]] = {}

    def of(self, relations: dict[str, Relation]) -> dict[str, Place]:
        layouts = targets(relations, "slideLayout")
        if not layouts:
            return {}
        layout = layouts[0]
        if layout not in self._known:
            masters = targets(relations_of(self._package, layout), "slideMaster")
            inherited = self._places(masters[0]) if masters else {}
            self._known[layout] = {**inherited, **self._places(layout)}
        return self._known[layout]

    def _places(self, name: str) -> dict[str, Place]:
        root = part(self._package, name)
        found: dict[str, Place] = {}
        for element in within(root, "sp", "pic", "graphicFrame") if root is not None else ():
            place = _own_place(element)
            if place is not None:
                for key in _placeholder_keys(element):
                    found.setdefault(key, place)
        return found


def shapes_in_reading_order(tree: Element, placeholders: dict[str, Place]) -> list[Shape]:
    return in_reading_order(_shapes(tree, placeholders, _Scale()))


def in_reading_order(shapes: Iterable[Shape]) -> list[Shape]:
    """Return titles first, then shapes from top to bottom, and from left to right at the same height."""
    bands: list[list[Shape]] = []
    for shape in sorted(shapes, key=lambda shape: (not shape.is_title, shape.top, shape.left)):
        band = bands[-1] if bands else None
        if band and shape.top - band[0].top < _BAND and shape.is_title == band[0].is_title:
            band.append(shape)
        else:
            bands.append([shape])
    return [shape for band in bands for shape in sorted(band, key=lambda shape: shape.left)]


def placeholder_kind(shape: Element) -> str | None:
    """Return the type of a placeholder, or None for other shapes."""
    placeholder = _placeholder(shape)
    return attribute(placeholder, "type") or "obj" if placeholder is not None else None


def _shapes(tree: Iterable[Element], placeholders: dict[str, Place], scale: _Scale) -> Iterator[Shape]:
    for element in tree:
        name = name_of(element)
        if name in _SHAPES:
            place = _own_place(element)
            if place is None:
                place = next(
                    (placeholders[key] for key in _placeholder_keys(element) if key in placeholders), (0.0, 0.0)
                )
            left, top = scale.apply(place)
            yield Shape(element, left, top, placeholder_kind(element))
        elif name == "grpSp":
            yield from _shapes(element, placeholders, scale.inside(element))
        elif name == "AlternateContent":
            branch = next((inner for inner in element if len(inner)), None)
            yield from _shapes(branch if branch is not None else (), placeholders, scale)


def _own_place(element: Element) -> Place | None:
    offset = child(element, "spPr", "xfrm", "off")
    offset = offset if offset is not None else child(element, "xfrm", "off")
    return (float(number(offset, "x")), float(number(offset, "y"))) if offset is not None else None


def _placeholder(shape: Element) -> Element | None:
    for name in ("nvSpPr", "nvGraphicFramePr", "nvPicPr"):
        placeholder = child(shape, name, "nvPr", "ph")
        if placeholder is not None:
            return placeholder
    return None


def _placeholder_keys(shape: Element) -> list[str]:
    placeholder = _placeholder(shape)
    if placeholder is None:
        return []
    kind = attribute(placeholder, "type") or "obj"
    index = attribute(placeholder, "idx")
    general = "title" if kind in _TITLES else kind
    return [*([f"#{index}"] if index else []), general, *(["body"] if kind in ("obj", "subTitle") else [])]
