"""Styles of an OpenDocument text: page breaks, list markers, headers and footers."""

from collections.abc import Iterator
from dataclasses import dataclass

from docsieve.parsers.office.list_numbers import BULLET, formatted
from docsieve.parsers.office.markup import Element, attribute, child, children, name_of, number

_FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "": "none"}
_HEADERS = ("header", "header-first", "header-left")
_FOOTERS = ("footer", "footer-first", "footer-left")


@dataclass(frozen=True, slots=True)
class ListLevel:
    bullet: bool = True
    format: str = "decimal"
    prefix: str = ""
    suffix: str = ""
    start: int = 1

    def label(self, count: int) -> str:
        if self.bullet:
            return BULLET
        shown = formatted(count, self.format)
        return f"{self.prefix}{shown}{self.suffix}" if shown else ""


class OdfStyles:
    """`content` has the automatic styles of the text, `styles` the named ones and the margins; a flat file has both."""

    def __init__(self, content: Element, styles: Element | None) -> None:
        roots = [content] if styles is None else [styles, content]
        self._breaking: set[str] = set()
        self._lists: dict[str, dict[int, ListLevel]] = {}
        self._masters: list[Element] = []
        self._page_layouts: dict[str, Element] = {}
        for root in roots:
            for holder in children(root, "styles", "automatic-styles", "master-styles"):
                for element in holder:
                    self._learn(element)

    def breaks_page(self, element: Element) -> bool:
        return (attribute(element, "style-name") or "") in self._breaking

    def list_level(self, style: str | None, level: int) -> ListLevel:
        return self._lists.get(style or "", {}).get(level, ListLevel())

    def master(self, name: str | None) -> Element | None:
        return next((master for master in self._masters if attribute(master, "name") == name), None)

    def page_size(self, master: str | None) -> tuple[str, str]:
        """Return the page width and height of a master as written; empty if not stated."""
        found = self.master(master)
        name = (
            attribute(found, "page-layout-name") or attribute(found, "page-master-name") if found is not None else None
        )
        layout = self._page_layouts.get(name or "")
        properties = (
            next(children(layout, "page-layout-properties", "properties"), None) if layout is not None else None
        )
        if properties is None:
            return "", ""
        return attribute(properties, "page-width") or "", attribute(properties, "page-height") or ""

    def headers(self) -> Iterator[Element]:
        return (element for master in self._masters for element in children(master, *_HEADERS))

    def footers(self) -> Iterator[Element]:
        return (element for master in self._masters for element in children(master, *_FOOTERS))

    def _learn(self, element: Element) -> None:
        name = attribute(element, "name") or ""
        kind = name_of(element)
        if kind == "style":
            properties = child(element, "paragraph-properties")
            properties = properties if properties is not None else child(element, "properties")
            before = attribute(properties, "break-before") if properties is not None else None
            if before == "page" or attribute(element, "master-page-name"):
                self._breaking.add(name)
        elif kind == "list-style":
            self._lists[name] = {number(level, "level", 1): _list_level(level) for level in element}
        elif kind in ("page-layout", "page-master"):
            self._page_layouts[name] = element
        elif kind == "master-page":
            self._masters.append(element)


def _list_level(element: Element) -> ListLevel:
    return ListLevel(
        bullet=name_of(element) != "list-level-style-number",
        format=_FORMATS.get(attribute(element, "num-format") or "", "decimal"),
        prefix=attribute(element, "num-prefix") or "",
        suffix=attribute(element, "num-suffix") or "",
        start=number(element, "start-value", 1),
    )
