"""Parses search queries: words, quoted phrases, and corrections of misspelled words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from docsieve.analysis.search.terms import tokens

MAX_WORDS = 32
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]")


@dataclass(frozen=True, slots=True)
class Query:
    """`words` are folded and unique. A result must contain every phrase word by word.

    Single quoted words, `exact`, must match as written except for case and accents, without stemming or correction.
    """

    text: str
    words: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    exact: frozenset[str] = frozenset()

    @property
    def demands(self) -> bool:
        """Whether not all that resembles it is a result."""
        return bool(self.phrases or self.exact)


def parse(text: str) -> Query:
    """Ignores everything that is not a word, such as operators of other search engines."""
    words = tuple(dict.fromkeys(token.word for token in tokens(text)))[:MAX_WORDS]
    quoted = [tuple(token.word for token in tokens(part)) for part in _QUOTED.findall(text)]
    phrases = tuple(phrase[:MAX_WORDS] for phrase in quoted if len(phrase) > 1)
    return Query(text, words, phrases, frozenset(phrase[0] for phrase in quoted if len(phrase) == 1))


def respelt(text: str, corrections: dict[str, str]) -> str:
    """The text with misspelled words corrected, for embedders, which do not tolerate misspelling."""
    parts, at = [], 0
    for token in tokens(text):
        if token.word in corrections and token.start >= at:
            parts += [text[at : token.start], corrections[token.word]]
            at = token.end
    return "".join([*parts, text[at:]])


def nearest_spelling(word: str, known: Iterable[str]) -> str | None:
    """The known word that was most likely meant, with up to one edit in a short word and two in a long one."""
    most = 1 if len(word) < 6 else 2
    distances = {each: _slips(word, each) for each in known if abs(len(each) - len(word)) <= most}
    near = [each for each, distance in distances.items() if distance <= most]
    return min(near, key=lambda each: (distances[each], each[0] != word[0], each), default=None)


def _slips(one: str, other: str) -> int:
    """Number of letters added, omitted, replaced or swapped with their neighbor."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, opposite in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != opposite))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == opposite:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
