"""The words of a document for matching cues, and how prominent each is."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from docsieve.analysis.classification.cues import CUES

HEADING, SHORT_LINE, TOP, FIRST_PAGE, BODY = 5.0, 3.0, 2.0, 1.0, 0.5
"""How much a word's place says: short lines at the top of the first page, short lines below, long lines, the rest."""

_WORD = re.compile(r"[^\W_]+")
_ASCII_SIGNS_AS_SPACES = str.maketrans({sign: " " for sign in map(chr, range(128)) if not sign.isalnum()})
_TOP_LINES = 15
_HEADING_WORDS = 6
_MAX_LINES = 200
_LINE_CHARACTERS = 300
_BODY_CHARACTERS = 8_000
_END_CHARACTERS = 2_000

Phrase = tuple[str, ...]


@dataclass(slots=True)
class Words:
    words: list[str]
    places: list[float]


@dataclass(frozen=True, slots=True, eq=False)
class Cue:
    """Compared by identity, because cues are looked up thousands of times per document."""

    label: str
    tier: str
    phrase: Phrase


def words_of(text: str) -> list[str]:
    """Lower case, no accents, punctuation as spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        for accent in filter(unicodedata.combining, set(text)):
            text = text.replace(accent, "")
    text = text.casefold()
    # for most texts this finds the words in a fifth of the time
    return text.translate(_ASCII_SIGNS_AS_SPACES).split() if text.isascii() else _WORD.findall(text)


def document_words(text: str, first_page: Sequence[str]) -> Words:
    """The first page line by line, then the start and the end of the text; the rest says little about the class."""
    lines = [line for line in (first_page or text[:_BODY_CHARACTERS].splitlines()) if line.strip()][:_MAX_LINES]
    found = Words([], [])
    for number, line in enumerate(lines):
        words = words_of(line[:_LINE_CHARACTERS])
        short = len(words) <= _HEADING_WORDS
        by_length = (HEADING, TOP) if number < _TOP_LINES else (SHORT_LINE, FIRST_PAGE)
        place = by_length[0 if short else 1]
        found.words += words
        found.places += [place] * len(words)
    seen = sum(map(len, lines)) + len(lines)
    rest = text[seen : seen + _BODY_CHARACTERS]
    end = text[max(seen + _BODY_CHARACTERS, len(text) - _END_CHARACTERS) :]
    for part in (rest, end):
        words = words_of(part)
        found.words += words
        found.places += [BODY] * len(words)
    return found


@dataclass(slots=True)
class _Beginning:
    """The cues that start with a word: single-word cues, and longer ones by their second word."""

    alone: list[Cue] = field(default_factory=list)
    longer: dict[str, list[Cue]] = field(default_factory=dict)


CueIndex = dict[str, _Beginning]
"""Cues by their first word."""


def index(cues: Iterable[Cue]) -> CueIndex:
    by_first: CueIndex = {}
    for cue in cues:
        beginning = by_first.setdefault(cue.phrase[0], _Beginning())
        if len(cue.phrase) == 1:
            beginning.alone.append(cue)
        else:
            beginning.longer.setdefault(cue.phrase[1], []).append(cue)
    return by_first


def find(words: Words, cues: CueIndex) -> dict[Cue, float]:
    """Every cue that occurs, with its most prominent place."""
    found: dict[Cue, float] = {}
    best: dict[str, float] = {}
    following = [*words.words[1:], ""]
    for at, word in enumerate(words.words):
        beginning = cues.get(word)
        if beginning is None:
            continue
        place = words.places[at]
        if place > best.get(word, 0):
            best[word] = place
            found.update(dict.fromkeys(beginning.alone, place))
        for cue in beginning.longer.get(following[at], ()):
            if place > found.get(cue, 0) and tuple(words.words[at : at + len(cue.phrase)]) == cue.phrase:
                found[cue] = place
    return found


@cache
def built_in_cues() -> CueIndex:
    distinct = {
        (label, tier, tuple(phrase.split()))
        for label, cues in CUES.items()
        for tier in ("titles", "strong", "weak")
        for phrase in getattr(cues, tier).split(";")
    }
    return index(Cue(*each) for each in distinct)
