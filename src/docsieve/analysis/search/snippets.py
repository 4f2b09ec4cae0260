"""Snippets: the best matching part of a chunk's text, and the matching lines on the page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from docsieve.analysis.search.terms import Token, stems, term, tokens
from docsieve.domain.pages.chunks import Place

_LENGTH = 240
_BEFORE = 60
MAX_LINES = 20


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the snippet. A hit is a word of the query."""

    text: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Snippet:
    parts: list[Part]
    lines: list[Place]


def hits(text: str, how: str, salted: int, worth: Mapping[int, float]) -> list[tuple[Token, float]]:
    """The query words in the text with their weights, without overlaps."""
    found = list(tokens(text))
    stemmed = stems([token.word for token in found], how)
    values = {stem: worth.get(term(stem, salted)) for stem in set(stemmed)}
    asked, end = [], 0
    for token, stem in zip(found, stemmed, strict=True):
        if (value := values[stem]) is not None and token.start >= end:
            asked.append((token, value))
            end = token.end
    return asked


def holds_phrase(text: str, phrase: Sequence[str], same: Callable[[list[str]], list[str]]) -> bool:
    """Whether the words of the phrase are adjacent. `same` normalizes words for comparison."""
    wanted = same(list(phrase))
    present = same([token.word for token in tokens(text)])
    return any(present[at : at + len(wanted)] == wanted for at in range(len(present) - len(wanted) + 1))


def snippet(text: str, places: Sequence[Place], found: Sequence[tuple[Token, float]]) -> Snippet:
    start, end = _window(text, found)
    parts, at = [], start
    for token, _ in found:
        if token.start >= at and token.end <= end:
            if token.start > at:
                parts.append(Part(text[at : token.start], hit=False))
            parts.append(Part(text[token.start : token.end], hit=True))
            at = token.end
    if at < end:
        parts.append(Part(text[at:end], hit=False))
    return Snippet(parts, _lines(places, found, start, end))


def _window(text: str, found: Sequence[tuple[Token, float]]) -> tuple[int, int]:
    """The part with the highest total weight of different words, starting at a word. The earliest wins ties."""
    best, best_worth = 0, 0.0
    for at, (first, _) in enumerate(found):
        inside: dict[str, float] = {}
        for token, value in found[at:]:
            if token.end > first.start + _LENGTH - _BEFORE:
                break
            inside[token.word] = value
        if sum(inside.values()) > best_worth:
            best, best_worth = max(0, first.start - _BEFORE), sum(inside.values())
    if len(text) - best < _LENGTH:
        best = max(0, len(text) - _LENGTH)
    if best > 0:
        space = text.find(" ", best, best + _BEFORE // 2)
        best = space + 1 if space >= 0 else best
    end = min(len(text), best + _LENGTH)
    if end < len(text) and (space := text.rfind(" ", end - _BEFORE // 2, end)) > best:
        end = space
    return best, end


def _lines(places: Sequence[Place], found: Sequence[tuple[Token, float]], start: int, end: int) -> list[Place]:
    """The lines with a hit. Without hits, as for matches by meaning only, the lines of the snippet."""
    matching = [p for p in places if any(p.start < token.end and token.start < p.end for token, _ in found)]
    if not matching:
        matching = [p for p in places if p.start < end and start < p.end]
    inside = [p for p in matching if p.start < end and start < p.end]
    others = [p for p in matching if p not in inside]
    return (inside + others)[:MAX_LINES]
