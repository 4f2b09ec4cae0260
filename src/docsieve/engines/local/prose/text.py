"""The pages as running text: sentences across lines and pages, each with the heading of its section."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from docsieve.domain.extraction import Spot
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Row, Token, spot

MAX_LENGTH = 200_000
MAX_SENTENCE = 3_000
_MAX_HEADING_WORDS = 8
_MIN_SENTENCE_WORDS = 7
_MIN_CONTINUED_WORDS = 4
"""Of a sentence after another one, or under a heading."""

_MIN_LOWER = 0.18
_SECTION_SENTENCES = 12
_EDGE = 80
_WIDE_GAP = "\t"
_APART, _WIDER = 0.8, 1.3
_PAGE_NUMBER = re.compile(r"\W*(?:page|seite|p\.)?\W*\d{1,3}\W*(?:(?:of|von|/)\W*\d{1,3}\W*)?", re.I)
_NUMBERED = re.compile(
    r"(?:\(?(?:\d{1,2}(?:\.\d{1,2}){0,2}|[a-zA-Z]|[ivx]{1,4})[.)]+|§+\s?\d+\w?\.?|(?:section|article|clause)\s\d+[.:]?)\s",
    re.I,
)
_ENDS = re.compile(r"[.!?;:][”\"’)]*$")
_CONTINUES = re.compile(
    r"(?:,|\b(?:and|or|between|among|by|of|with|the|a|to|und|zwischen|der|die|et|entre|y|e|de|la|por))$", re.I
)
_BREAK = re.compile(r"(?<=[.!?;:])[”\"’)]*\s+(?=[“\"(«„]?[A-ZÀ-Ý0-9§(])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:inc|corp|co|ltd|no|nos|nr|st|mr|mrs|ms|dr|jr|sr|vs|sec|art|abs|attn|ave|blvd|e\.g|i\.e|u\.s|d\.c|str|tel|ca|bzw|núm|av"
    r"|messrs|hon|ste|dept|fdo|sra|l\.p|n\.a|bros|approx|[a-z])|(?:^|\s)\(?(?:\d{1,2}|[ivx]{1,4}))\.$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """From `start` to `end` in the text; `heading` is the title of its section, `since` counts from it."""

    start: int
    end: int
    text: str
    heading: str = ""
    since: int = 0


class RunningText:
    """All words in reading order, and the text that they make, with a mapping from characters to words.

    In the text, paragraphs are one line each, and tabs are wide gaps within a line.
    """

    def __init__(self, view: DocumentView) -> None:
        self._words: list[tuple[Token, Piece]] = []
        self._starts: list[int] = []
        self.first_page_end = 0
        parts: list[str] = []
        breaks: list[int] = []
        at = 0
        for number, page in enumerate(view.pages):
            for row, breaks_before in _rows(page):
                if at > MAX_LENGTH:
                    break
                if breaks_before and parts:
                    breaks.append(at)
                    parts[-1] = f"{parts[-1][:-1]}\n"
                for piece in (each for each in row.pieces if not each.boxed):
                    if piece.place and parts:
                        parts[-1] = f"{parts[-1][:-1]}{_WIDE_GAP}"
                    for token in piece.tokens:
                        self._words.append((token, piece))
                        self._starts.append(at)
                        parts.append(f"{token.text} ")
                        at += len(token.text) + 1
            if number == 0:
                self.first_page_end = at
        self.text = "".join(parts)[:-1]
        self.sentences = list(_sentences(self.text, breaks))

    def words(self, start: int, end: int) -> list[tuple[Token, Piece]]:
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_right(self._starts, max(end - 1, start))
        return self._words[first:last]

    def start_of(self, token: Token) -> int | None:
        at = self._places.get(id(token))
        return self._starts[at] if at is not None else None

    def next_word(self, at: int) -> int:
        """Where the word after a place in the text begins."""
        number = bisect_right(self._starts, at)
        return self._starts[number] if number < len(self._starts) else len(self.text)

    def goes_on(self, tokens: Collection[int]) -> bool:
        """Whether these words, by identity, are in a sentence that has words before them without a colon."""
        at = self._first(tokens)
        if not at or self._words[at - 1][0].text.endswith(":"):
            return False
        sentence = self.sentence_at(self._starts[at])
        return sentence is not None and sentence.start < self._starts[at]

    def has_in_sentence(self, tokens: Collection[int]) -> bool:
        at = self._first(tokens)
        return at is not None and self.sentence_at(self._starts[at]) is not None

    def _first(self, tokens: Collection[int]) -> int | None:
        return min((self._places[token] for token in tokens if token in self._places), default=None)

    def sentence_at(self, start: int) -> Sentence | None:
        nearest = bisect_right(self.sentences, start, key=lambda sentence: sentence.start) - 1
        found = self.sentences[nearest] if nearest >= 0 else None
        return found if found is not None and start < found.end else None

    @cached_property
    def _places(self) -> dict[int, int]:
        return {id(token): at for at, (token, _) in enumerate(self._words)}

    def spots(self, start: int, end: int) -> list[Spot]:
        """One place per line."""
        lines: list[tuple[Piece, list[Token]]] = []
        for token, piece in self.words(start, end):
            if not lines or lines[-1][0] is not piece:
                lines.append((piece, []))
            lines[-1][1].append(token)
        return [spot(tokens, piece) for piece, tokens in lines]

    def page_of(self, start: int) -> int:
        return self.words(start, start + 1)[0][1].page


def _rows(page: PageView) -> Iterator[tuple[Row, bool]]:
    """The rows of a page, each with whether a paragraph begins there, without page numbers and tables."""
    before: Row | None = None
    gaps = [lower.box[1] - upper.box[3] for upper, lower in pairwise(page.rows)]
    widest = max(_APART * page.height, _WIDER * median(gaps) if gaps else 0.0)
    for row in page.rows:
        if row in (page.rows[0], page.rows[-1]) and _PAGE_NUMBER.fullmatch(row.text[:_EDGE]):
            continue
        if len({piece.cell for piece in row.pieces} - {None}) > 1:
            continue
        yield row, _begins(before, row, widest)
        before = row


def _begins(before: Row | None, row: Row, widest: float) -> bool:
    """Whether a paragraph begins with a row; `widest` is the largest gap between lines of one paragraph."""
    if before is None:
        return False
    last = before.text.rstrip()[-_EDGE:]
    if _CONTINUES.search(last):
        return False
    if _ENDS.search(last) and not _ABBREVIATED.search(last):
        return row.text[:1].isupper() or row.text[:1] in '“"«„(§' or row.text[:1].isdigit()
    apart = row.box[1] - before.box[3] > widest
    return (
        apart
        or row.pieces[0].heading
        or before.pieces[0].heading
        or _NUMBERED.match(row.text) is not None
        or (_titled(last) and len(before.pieces[0].tokens) <= _MAX_HEADING_WORDS)
    )


def _titled(text: str) -> bool:
    """Whether a text is written like a heading: in capitals, or with capitalized words only."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 3]
    return bool(words) and all(word[0].isupper() for word in words)


def _sentences(text: str, breaks: Iterable[int]) -> Iterator[Sentence]:
    heading = ""
    since = 0
    spoken = False
    for start, end in _segments(text, breaks):
        said = text[start:end]
        words = said.split()
        bare = _NUMBERED.sub("", said, count=1)
        begins = start == 0 or text[start - 1] == "\n"
        under_heading = heading != "" and since == 0
        titled = not said.endswith(".") or (begins and (bare != said or not under_heading))
        if (
            titled
            and len(words) <= _MAX_HEADING_WORDS
            and bare[:1].isupper()
            and _is_heading(bare, all_large=said.endswith(".") and bare == said)
        ):
            heading, since = bare, 0
            continue
        lower = sum(word.lstrip('(“"„«')[:1].islower() for word in words)
        goes_on = under_heading or (spoken and not begins)
        least = _MIN_CONTINUED_WORDS if (goes_on or begins) and said.endswith((".", ";")) else _MIN_SENTENCE_WORDS
        spoken = len(words) >= least and lower >= _MIN_LOWER * len(words)
        if spoken:
            for at in range(0, len(said), MAX_SENTENCE):
                part = said[at : at + MAX_SENTENCE]
                yield Sentence(
                    start + at, start + at + len(part), part, heading if since < _SECTION_SENTENCES else "", since
                )
            since += 1


def _is_heading(text: str, *, all_large: bool) -> bool:
    """Whether half of the words have capitals, or all of a text that ends like a sentence."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 3]
    large = sum(word[0].isupper() for word in words)
    return bool(words) and large * (1 if all_large else 2) >= len(words) and not any(map(str.isdigit, text))


def _segments(text: str, breaks: Iterable[int]) -> Iterator[tuple[int, int]]:
    cuts = set(breaks)
    for found in _BREAK.finditer(text):
        if not _ABBREVIATED.search(text[max(0, found.start() - 12) : found.start()]) and not _within_parentheses(
            text, found.start()
        ):
            cuts.add(found.end())
    start = 0
    for cut in sorted({*cuts, len(text)}):
        end = cut - 1 if cut < len(text) else cut
        if end > start:
            yield start, end
        start = cut


def _within_parentheses(text: str, at: int) -> bool:
    near = text[max(0, at - 80) : at]
    return near.rfind("(") > near.rfind(")") and ")" in text[at : at + 80]
