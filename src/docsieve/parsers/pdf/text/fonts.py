"""The fonts of a page, and whether they map their codes to characters.

PDFium returns characters but not where their meaning comes from. For a page whose text reads like glyph
numbers, the document is therefore opened a second time, by pikepdf; few documents have such a page.
"""

import re
from collections import Counter
from collections.abc import Iterator
from ctypes import c_int, create_string_buffer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docsieve.parsers.pdf.direct import get_font_info

if TYPE_CHECKING:
    import pikepdf

_NAME_BYTES = 256
# PDFium leaves it out of some names: /AAAAAA+FiraGO is FiraGO.
_SUBSET_TAG = re.compile(r"\A[A-Z]{6}\+")
_MAX_FORM_DEPTH = 4
_MAX_TREE_DEPTH = 50
_MAX_FONTS = 500
# A few characters of another font, such as bullets, do not make a text unreadable.
_VOUCHED_SHARE = 0.8


class DocumentFonts:
    """The fonts of one document, which is opened on first use and must be closed."""

    def __init__(self, source: Path, password: str | None) -> None:
        self._source, self._password = source, password
        self._document: pikepdf.Pdf | None = None
        self._known: dict[tuple[int, int], bool] = {}

    def close(self) -> None:
        if self._document is not None:
            self._document.close()

    def vouch_for(self, page: int, text_page: Any, places: list[int]) -> bool:
        """Whether the characters at these indices come from fonts that map their codes; False if unknown."""
        import pikepdf  # only here: few documents need it

        trusted: dict[str, bool] = {}
        try:
            if self._document is None:
                self._document = pikepdf.open(self._source, password=self._password or "", suppress_warnings=True)
            for font in _fonts_of(self._document.pages[page].obj):
                name = _name_of(font)
                trusted[name] = self._maps_its_codes(font) and trusted.get(name, True)
        except (pikepdf.PdfError, IndexError, KeyError, RuntimeError, TypeError, ValueError):
            # What pikepdf cannot read is damaged, and fonts that were not found prove nothing.
            return False
        used = Counter(_font_at(text_page, place) for place in places)
        return sum(count for name, count in used.items() if trusted.get(name)) >= used.total() * _VOUCHED_SHARE

    def _maps_its_codes(self, font: "pikepdf.Object") -> bool:
        # fontTools takes 30 ms of processor time and 5 MB, and few PDFs need it
        from docsieve.parsers.pdf.text.font_maps import maps_its_codes

        key = font.objgen
        if key == (0, 0):
            return maps_its_codes(font)
        if key not in self._known:
            self._known[key] = maps_its_codes(font)
        return self._known[key]


def _font_at(text_page: Any, place: int) -> str:
    name, flags = create_string_buffer(_NAME_BYTES), c_int()
    length = get_font_info(text_page, place, name, _NAME_BYTES, flags)
    return _SUBSET_TAG.sub("", name.value.decode("utf-8", "replace")) if 0 < length <= _NAME_BYTES else ""


def _name_of(font: "pikepdf.Object") -> str:
    """A font whose glyphs are drawings has none."""
    return _SUBSET_TAG.sub("", str(font.get("/BaseFont", "/")).removeprefix("/"))


def _fonts_of(page: "pikepdf.Object") -> Iterator["pikepdf.Object"]:
    """Yield the fonts of the page and of its forms."""
    waiting = [(_resources_of(page), 0)]
    seen, found = set(), 0
    while waiting:
        resources, depth = waiting.pop()
        if resources is None:
            continue
        for font in dict(resources.get("/Font", {})).values():
            found += 1
            if found > _MAX_FONTS:
                return
            yield font
        for item in dict(resources.get("/XObject", {})).values():
            if item.objgen not in seen and item.get("/Subtype") == "/Form" and depth < _MAX_FORM_DEPTH:
                seen.add(item.objgen)
                waiting.append((item.get("/Resources"), depth + 1))


def _resources_of(page: "pikepdf.Object") -> "pikepdf.Object | None":
    """Return its own resources or inherited ones."""
    for _ in range(_MAX_TREE_DEPTH):
        if "/Resources" in page:
            return page["/Resources"]
        if "/Parent" not in page:
            return None
        page = page["/Parent"]
    return None
