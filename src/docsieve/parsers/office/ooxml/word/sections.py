"""Sections of a Word document. Each states its headers, footers and kind of beginning at its end."""

from docsieve.parsers.office.markup import Element, attribute, child, children, relation_id, within
from docsieve.parsers.office.ooxml.opc import Relation


class Sections:
    """Walks through the sections; a header or footer that several share is returned once."""

    def __init__(self, body: Element, relations: dict[str, Relation]) -> None:
        self._sections = list(within(body, "sectPr"))
        self._relations = relations
        self._place = 0
        self._given: set[str] = set()

    def headers(self) -> list[str]:
        return self._margins("headerReference")

    def footers(self) -> list[str]:
        return self._margins("footerReference")

    def next_begins_page(self) -> bool:
        """Advance to the next section, and return whether it begins a page."""
        self._place += 1
        beginning = child(self._sections[self._place], "type") if self._place < len(self._sections) else None
        return beginning is None or attribute(beginning, "val") != "continuous"

    def _margins(self, name: str) -> list[str]:
        if self._place >= len(self._sections):
            return []
        section = self._sections[self._place]
        names = []
        for reference in children(section, name):
            if attribute(reference, "type") == "first" and child(section, "titlePg") is None:
                continue
            relation = self._relations.get(relation_id(reference) or "")
            if relation is not None and relation.target not in self._given:
                self._given.add(relation.target)
                names.append(relation.target)
        return names
