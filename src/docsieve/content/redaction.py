"""Finds the words that a redaction removes, and a page without them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import re2

from docsieve.domain.pages.page import Box, Code, Line, Page, Word
from docsieve.errors.batches import PatternInvalid

_MAX_MEMORY = 8 * 1024**2
_COVERED = 0.05
_REVEALING = 4
"""Characters of a removed word that are enough to look for it in codes."""
_CODE_MARGIN = 0.35
_PUNCTUATION = ".,;:()[]"


@dataclass(frozen=True, slots=True)
class PlaceOnPage:
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Redaction:
    """What to remove: places, texts wherever they are, and what matches regular expressions in RE2 syntax.

    Every text must be found. What is in `also` is removed too, but need not be there.
    """

    places: tuple[PlaceOnPage, ...] = ()
    texts: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def check(self) -> None:
        """Raises PatternInvalid."""
        Finder(self)


@dataclass(slots=True)
class RedactedPage:
    """`page` is without the removed words; `boxes` are to be blackened."""

    page: Page
    boxes: list[Box] = field(default_factory=list)


class Finder:
    """`unfound` are the texts that were on no page so far; `count` is how many words and places were removed."""

    def __init__(self, redaction: Redaction) -> None:
        self._places = redaction.places
        self._patterns = [_compiled(pattern) for pattern in redaction.patterns]
        self._patterns += [_compiled(_anywhere(text)) for text in redaction.also]
        self._texts = {text: _compiled(_anywhere(text)) for text in redaction.texts}
        self.unfound = set(redaction.texts)
        self.count = 0

    def redacted(self, page: Page) -> RedactedPage:
        words = [word for line in page.lines for word in line.words or [Word(line.text, line.box)]]
        boxes = [place.box for place in self._places if place.page == page.number]
        hidden = {at for at, word in enumerate(words) if any(_covers(box, word.box) for box in boxes)}
        text, starts = _running_text(page.lines)
        for pattern in self._patterns:
            hidden |= _words_matched(pattern, text, starts)
        for wanted, pattern in self._texts.items():
            if matched := _words_matched(pattern, text, starts):
                self.unfound.discard(wanted)
                hidden |= matched
        boxes += [words[at].box for at in sorted(hidden)]
        boxes += [_around(code) for code in page.codes if self._reveals(code, [words[at].text for at in hidden], boxes)]
        self.count += len(boxes)
        return RedactedPage(_without(page, hidden), boxes)

    def _reveals(self, code: Code, hidden: Sequence[str], boxes: Sequence[Box]) -> bool:
        """Whether a QR code or barcode contains removed text or touches a removed place; yes in doubt."""
        if any(_touches(box, code.box) for box in boxes):
            return True
        for wanted, pattern in self._texts.items():
            if pattern.search(code.text):
                self.unfound.discard(wanted)
                return True
        packed = "".join(code.text.split()).casefold()
        words = (word.strip(_PUNCTUATION).casefold() for word in hidden)
        return any(pattern.search(code.text) for pattern in self._patterns) or any(
            len(word) >= _REVEALING and word in packed for word in words
        )


def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.max_mem = _MAX_MEMORY
    options.log_errors = False
    options.case_sensitive = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        raise PatternInvalid("The pattern is not valid in RE2 syntax.") from error


def _anywhere(text: str) -> str:
    """The text however it is spaced: OCR may have joined or split its words. Not as a part of a longer word."""
    letters = "".join(text.split())
    begin, end = (r"\b" if each.isascii() and each.isalnum() else "" for each in (letters[:1], letters[-1:]))
    return begin + r"\s*".join(re2.escape(each) for each in letters) + end


def _running_text(lines: Sequence[Line]) -> tuple[str, list[int]]:
    """The words of a page with spaces between them, and where each begins."""
    pieces, starts, at = [], [], 0
    for line in lines:
        for word in line.words or [Word(line.text, line.box)]:
            starts.append(at)
            pieces.append(word.text)
            at += len(word.text) + 1
    return " ".join(pieces), starts


def _words_matched(pattern: Any, text: str, starts: list[int]) -> set[int]:
    found: set[int] = set()
    ends = [*starts[1:], len(text) + 1]
    at = 0
    for match in pattern.finditer(text):
        if match.start() == match.end():
            continue
        while at < len(starts) and ends[at] - 1 <= match.start():
            at += 1
        last = at
        while last < len(starts) and starts[last] < match.end():
            found.add(last)
            last += 1
    return found


def _around(code: Code) -> Box:
    """With a margin: a strip of a barcode is as readable as all of it."""
    x0, y0, x1, y1 = code.box
    margin = _CODE_MARGIN * max(min(x1 - x0, y1 - y0), 10.0)
    return x0 - margin, y0 - margin, x1 + margin, y1 + margin


def _touches(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _covers(box: Box, word: Box) -> bool:
    wide = min(box[2], word[2]) - max(box[0], word[0])
    high = min(box[3], word[3]) - max(box[1], word[1])
    area = max((word[2] - word[0]) * (word[3] - word[1]), 0.01)
    return wide > 0 and high > 0 and wide * high > _COVERED * area


def _without(page: Page, hidden: set[int]) -> Page:
    lines, at = [], 0
    for line in page.lines:
        words = line.words or [Word(line.text, line.box)]
        kept = [word for number, word in enumerate(words, start=at) if number not in hidden]
        at += len(words)
        if kept:
            lines.append(replace(line, text=" ".join(word.text for word in kept), words=kept))
    return replace(page, lines=lines, tables=[], form_fields=[], notes=[], codes=[])
