"""Printed page numbers: "Page 2 of 3", "2/3", "Seite 2", "- 2 -"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docsieve.domain.pages.page import Line, Page

_WORD = (
    r"(?:page|pages|pg\.?|p\.|seite|blatt|folio|p[aá]gina|p[aá]g\.?|pag\.?|bladzijde|strona|str\.|sida|side|sheet|"
    r"лист|стр\.?)"
)
_OF = r"(?:of|von|de|di|sur|van|z|av|из|out\s+of|/|\||-)"
_NAMED = re.compile(
    rf"(?<![^\W\d_]){_WORD}\s*[:#]?\s*(\d{{1,4}})(?!\d)(?:\s*{_OF}\s*(\d{{1,4}})(?!\d))?", re.IGNORECASE
)
_CJK = re.compile(r"第\s*(\d{1,4})\s*[页頁](?:[^\d]{0,4}[共全]\s*(\d{1,4})\s*[页頁])?|(\d{1,4})\s*ページ")
_FRACTION = re.compile(r"^\W*(\d{1,3})\s*(?:/|of|von|de|sur|di|van)\s*(\d{1,3})\W*$", re.IGNORECASE)
_BARE = re.compile(r"^[-–—·•|\s(\[]*(\d{1,3})[-–—·•|\s)\].]*$")

_MARGIN = 0.14  # of the page's height, at the top and at the bottom
_OUTER = 0.1  # a number without any word is taken for a page number only this close to the edge
_MAX_PAGES = 2000


@dataclass(frozen=True, slots=True)
class PageNumber:
    """`total` is None where only the number is printed, `bare` where no word or total says that it is one."""

    number: int
    total: int | None = None
    bare: bool = False

    @property
    def is_last(self) -> bool:
        return self.total is not None and self.number == self.total


def page_number(page: Page) -> PageNumber | None:
    """The page number in the margins of a page, or a complete one ("Page 2 of 3") anywhere on it."""
    in_margins = [line for line in page.lines if _distance(line, page) <= _MARGIN]
    for found in (_named(in_margins), _named(page.lines, whole=True), _fraction(in_margins), _bare(page)):
        if found is not None:
            return found
    return None


def _named(lines: Sequence[Line], *, whole: bool = False) -> PageNumber | None:
    best: PageNumber | None = None
    for line in lines:
        for match in (*_NAMED.finditer(line.text), *_CJK.finditer(line.text)):
            number, total, *others = match.groups()
            found = _valid(number or (others[0] if others else None), total)
            if found is None or (whole and found.total is None):
                continue
            if best is None or (best.total is None and found.total is not None):
                best = found
    return best


def _fraction(lines: Sequence[Line]) -> PageNumber | None:
    for line in lines:
        match = _FRACTION.match(line.text)
        found = _valid(*match.groups()) if match else None
        if found is not None:
            return found
    return None


def _bare(page: Page) -> PageNumber | None:
    candidates = [line for line in page.lines if _distance(line, page) <= _OUTER]
    for line in sorted(candidates, key=lambda line: _distance(line, page)):
        match = _BARE.match(line.text)
        if match and 0 < int(match[1]) <= _MAX_PAGES:
            return PageNumber(int(match[1]), bare=True)
    return None


def _valid(number: str | None, total: str | None) -> PageNumber | None:
    if number is None or not 0 < int(number) <= _MAX_PAGES:
        return None
    if total is None:
        return PageNumber(int(number))
    return PageNumber(int(number), int(total)) if int(number) <= int(total) <= _MAX_PAGES else None


def _distance(line: Line, page: Page) -> float:
    """From the nearer of the upper and lower edge, as a share of the page's height."""
    height = page.height or 1.0
    return max(0.0, min(line.box[1], height - line.box[3])) / height
