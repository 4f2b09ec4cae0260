"""Paragraph styles of a Word document: which are headings, and which number their paragraphs."""

import re
from dataclasses import dataclass

from docsieve.parsers.office.markup import Element, attribute, child, children, number

_HEADING_NAME = re.compile(r"heading (\d)\Z", re.IGNORECASE)
_MAX_ANCESTORS = 20


@dataclass(frozen=True, slots=True)
class ListPlace:
    list_id: str
    level: int


@dataclass(slots=True)
class _Style:
    parent: str | None
    heading: int | None
    place: ListPlace | None


class Styles:
    def __init__(self, root: Element | None) -> None:
        found = children(root, "style") if root is not None else ()
        self._styles = {attribute(element, "styleId") or "": _style(element) for element in found}

    def heading(self, properties: Element | None) -> int | None:
        """Return the level of a heading, from 1; None for other paragraphs."""
        direct = outline_level(properties)
        if direct is not None:
            return direct
        return next((style.heading for style in self._chain(properties) if style.heading is not None), None)

    def place(self, properties: Element | None) -> ListPlace | None:
        """Return the list of a paragraph: its own, else that of its style. List 0 removes it from that of its style."""
        place = list_place(properties)
        if place is None:
            place = next((style.place for style in self._chain(properties) if style.place is not None), None)
            level = child(properties, "numPr", "ilvl")
            if place is not None and level is not None:
                place = ListPlace(place.list_id, number(level, "val"))
        return place if place is not None and place.list_id != "0" else None

    def _chain(self, properties: Element | None) -> list[_Style]:
        named = child(properties, "pStyle")
        style_id = attribute(named, "val") if named is not None else None
        chain: list[_Style] = []
        while style_id is not None and style_id in self._styles and len(chain) < _MAX_ANCESTORS:
            chain.append(self._styles[style_id])
            style_id = chain[-1].parent
        return chain


def outline_level(properties: Element | None) -> int | None:
    level = number(child(properties, "outlineLvl"), "val", 9)
    return level + 1 if 0 <= level < 9 else None


def list_place(properties: Element | None) -> ListPlace | None:
    numbered = child(properties, "numPr", "numId")
    if numbered is None:
        return None
    return ListPlace(attribute(numbered, "val") or "0", number(child(properties, "numPr", "ilvl"), "val"))


def _style(element: Element) -> _Style:
    properties = child(element, "pPr")
    based_on, named = child(element, "basedOn"), child(element, "name")
    name = (attribute(named, "val") or "") if named is not None else ""
    heading = outline_level(properties)
    if match := _HEADING_NAME.match(name):
        heading = int(match.group(1)) or 1
    elif name.lower() == "title":
        heading = 1
    parent = attribute(based_on, "val") if based_on is not None else None
    return _Style(parent, heading, list_place(properties))
