"""Two dates joined by a dash or a word form a period: the first is its start, the second its end."""

import re

from docsieve.engines.local.fields.spans import Span, Spans

_BETWEEN = re.compile(
    r"\s*(?:-|–|—|/|to|bis|au|until|through|thru|till|al|hasta|a|tot|hingga|and|und|et)\s*(?:the|le|zum)?\s*", re.I
)
_DATE_WORDS = 6


class Ranges:
    def __init__(self, spans: Spans) -> None:
        self._spans = spans
        self._first: dict[int, Span] | None = None
        self._starts: set[int] = set()

    def first_of(self, span: Span) -> Span | None:
        """The start of the period that ends with this date."""
        return self._pairs().get(id(span))

    def is_start(self, span: Span) -> bool:
        return self._pairs() is not None and id(span) in self._starts

    def excludes(self, concept: str, span: Span) -> bool:
        if concept == "period_start":
            return self.first_of(span) is not None
        return concept == "period_end" and self.is_start(span)

    def _pairs(self) -> dict[int, Span]:
        if self._first is None:
            self._first = {}
            for first, second in zip(dates := self._spans.of("date"), dates[1:], strict=False):
                if (first.piece is second.piece and _BETWEEN.fullmatch(_between(first, second))) or (
                    _next_in_row(first, second) and first.value <= second.value
                ):
                    self._first[id(second)] = first
                    self._starts.add(id(first))
        return self._first


def _between(first: Span, second: Span) -> str:
    text = first.piece.text
    start = text.find(first.text)
    end = text.find(second.text, start + len(first.text))
    return text[start + len(first.text) : end] if start >= 0 and end >= 0 else "?"


def _next_in_row(first: Span, second: Span) -> bool:
    """Whether a piece ends with a date and a dash, and the next one begins with the second date."""
    one, other = first.piece, second.piece
    if one.page != other.page or one.document != other.document or one.row != other.row or second.first != 0:
        return False
    tail = "".join(token.text for token in one.tokens[first.last + 1 :])
    return other.place == one.place + 1 and bool(re.fullmatch(r"[-–—]|to|bis|au", tail, re.I))
