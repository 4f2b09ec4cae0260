"""Names in running text: `between Maple LLC, a company (“Landlord”), and …`, and `Oak Bank, as Agent`."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from docsieve.engines.local.fields.candidates import Candidate, identities
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Token, spot
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target

DEFINED = 0.85
AS_ROLE = 0.8
MIN_SCORE = 0.6

_PAGES = 4
_MAX_PAGE_LENGTH = 20_000
_REACH = 240
_TERM = re.compile(r"\((?:\w+,? ){0,3}[“\"„'‘]([^\W\d][\w &/-]{1,40})[”\"“'’]\)?")
_BEGINS = re.compile(
    r"\b(?:between|among|zwischen|entre|by|with|mit)\s|[”\"’]\),?\s+(?:and|und|et|y)\s|[;:]\s|\s\d+[.)]\s"
)
_ENDS = re.compile(r",?\s+(?:an?|the|having|whose|located|organi[sz]ed|existing|with|mit|a)\b|\s\(")
_AS = re.compile(
    r"([^\W\d][^,;()]{2,80}(?:, (?:Inc|LLC|N\.A|Ltd|L\.P|S\.A|AG)\.?)?),? as (?:the |an? )?"
    r"([A-Z][\w -]{2,40}?)(?=[,.;)]|$|\s{2})"
)


class Prose:
    """The first pages as text, with a mapping from each character to its word."""

    def __init__(self, view: DocumentView) -> None:
        self._pages = [_Text(page) for page in view.pages[:_PAGES]]

    def candidates(self, target: Target, matcher: Matcher) -> Iterable[Candidate]:
        for page in self._pages:
            for start, end, role, worth in page.named():
                score = matcher.score(canonical(role))
                place = list(page.words(start, end)) if score >= MIN_SCORE else []
                if place:
                    tokens = [token for token, _ in place]
                    text = " ".join(token.text for token in tokens).strip(' ,;:(“"')
                    why = f"named as '{role[:40]}' on page {place[0][1].page}"
                    spots = [spot(tokens, place[0][1])]
                    yield Candidate(target, text, spots, score * worth, why, identities(tokens))


class _Text:
    def __init__(self, page: PageView) -> None:
        self._words: list[tuple[Token, Piece]] = [(token, piece) for piece in page.pieces for token in piece.tokens]
        self._starts: list[int] = []
        parts: list[str] = []
        at = 0
        for number, (token, piece) in enumerate(self._words):
            if at > _MAX_PAGE_LENGTH:
                break
            gap = "\n" if number and piece.row != self._words[number - 1][1].row else " " if number else ""
            at += len(gap)
            self._starts.append(at)
            parts.append(gap + token.text)
            at += len(token.text)
        self._text = "".join(parts)[:_MAX_PAGE_LENGTH]

    def named(self) -> Iterator[tuple[int, int, str, float]]:
        """Start and end of each name, the role assigned to it, and the weight of the pattern."""
        for term in _TERM.finditer(self._text):
            start = max(0, term.start() - _REACH)
            before = self._text[start : term.start()]
            cut = max((found.end() for found in _BEGINS.finditer(before)), default=None)
            if cut is None:
                continue
            name = before[cut:]
            stop = _ENDS.search(name)
            end = start + cut + (stop.start() if stop else len(name))
            yield start + cut, end, term[1], DEFINED
        for line in re.finditer(r"[^\n]+(?:\n(?=as )[^\n]+)?", self._text):
            text = line.group().replace("\n", " ")[:_REACH]
            if (found := _AS.match(text)) is not None:
                yield line.start(), line.start() + found.end(1), found[2], AS_ROLE

    def words(self, start: int, end: int) -> Iterator[tuple[Token, Piece]]:
        first = max(0, bisect_right(self._starts, start) - 1)
        if self._starts and self._starts[first] + len(self._words[first][0].text) <= start:
            first += 1
        for number in range(first, min(first + 14, len(self._starts))):
            if self._starts[number] >= end:
                break
            yield self._words[number]
