"""Cells of an xlsx sheet as they are shown."""

from dataclasses import dataclass

from docsieve.parsers.office.markup import Element, attribute, child, children, name_of, number
from docsieve.parsers.office.sheets.cell_values import shown_number
from docsieve.parsers.office.sheets.number_formats import BUILT_IN, shown_by


@dataclass(slots=True)
class CellReader:
    """`formats` has the number format of each cell style, None for the general one."""

    strings: list[str]
    formats: list[str | None]
    since_1904: bool

    def text(self, cell: Element) -> str:
        kind = cell.attrib.get("t", "n")
        value = next(children(cell, "v"), None)
        text = (value.text or "") if value is not None else ""
        if kind == "s":
            return self._shared(text)
        if kind == "inlineStr":
            inline = next(children(cell, "is"), None)
            return rich_text(inline) if inline is not None else text
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(text.strip(), text)
        if kind == "d":
            return text.removesuffix("T00:00:00").replace("T", " ")
        return self._number(cell, text) if kind == "n" and text else text

    def _shared(self, text: str) -> str:
        place = int(text) if text.strip().isdecimal() and len(text) < 12 else len(self.strings)
        return self.strings[place] if place < len(self.strings) else ""

    def _number(self, cell: Element, text: str) -> str:
        try:
            value = float(text)
        except ValueError:
            return text
        stated = cell.attrib.get("s", "0")
        style = int(stated) if stated.isdecimal() and len(stated) < 8 else 0
        code = self.formats[style] if style < len(self.formats) else None
        return shown_by(code, value, since_1904=self.since_1904) if code else shown_number(value)


def rich_text(element: Element) -> str:
    """Return the runs of a string, without phonetic guides for East Asian text."""
    texts = []
    for inner in element:
        if name_of(inner) == "t":
            texts.append(inner.text or "")
        elif name_of(inner) == "r":
            texts.extend(run.text or "" for run in children(inner, "t"))
    return "".join(texts)


def formats_of(styles: Element | None) -> list[str | None]:
    """The number format of each cell style, by its number."""
    codes: dict[int, str | None] = dict(BUILT_IN)
    own, cell_styles = child(styles, "numFmts"), child(styles, "cellXfs")
    for element in children(own, "numFmt") if own is not None else ():
        code = attribute(element, "formatCode") or ""
        codes[number(element, "numFmtId")] = None if code.lower() == "general" else code
    found = children(cell_styles, "xf") if cell_styles is not None else ()
    return [codes.get(number(element, "numFmtId")) for element in found]
