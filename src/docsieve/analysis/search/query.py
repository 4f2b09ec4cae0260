"""What somebody asks of the chunks: words, phrases in quotes, and what a misspelt word may have meant."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from docsieve.analysis.search.terms import tokens

MAX_WORDS = 32
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]")


@dataclass(frozen=True, slots=True)
class Query:
    """`words` are folded and each named once. A result must hold every phrase word by word, and what stands in quotes
    alone, `exact`, as it is written but for case and accents: in no other form, nor nearly so."""

    text: str
    words: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    exact: frozenset[str] = frozenset()

    @property
    def demands(self) -> bool:
        """Whether not all that resembles it is a result."""
        return bool(self.phrases or self.exact)


def parse(text: str) -> Query:
    """Whatever is no word, such as operators of other search engines, counts for nothing."""
    words = tuple(dict.fromkeys(token.word for token in tokens(text)))[:MAX_WORDS]
    quoted = [tuple(token.word for token in tokens(part)) for part in _QUOTED.findall(text)]
    phrases = tuple(phrase[:MAX_WORDS] for phrase in quoted if len(phrase) > 1)
    return Query(text, words, phrases, frozenset(phrase[0] for phrase in quoted if len(phrase) == 1))


def respelt(text: str, corrections: dict[str, str]) -> str:
    """The text with its misspelt words put right, for embedders, which know nothing of spelling."""
    parts, at = [], 0
    for token in tokens(text):
        if token.word in corrections and token.start >= at:
            parts += [text[at : token.start], corrections[token.word]]
            at = token.end
    return "".join([*parts, text[at:]])


def nearest_spelling(word: str, known: Iterable[str]) -> str | None:
    """The known word that was most likely meant: one slip of the fingers in a short word, two in a long one."""
    most = 1 if len(word) < 6 else 2
    distances = {each: _slips(word, each) for each in known if abs(len(each) - len(word)) <= most}
    near = [each for each, distance in distances.items() if distance <= most]
    return min(near, key=lambda each: (distances[each], each[0] != word[0], each), default=None)


def _slips(one: str, other: str) -> int:
    """Letters added, left out, replaced or swapped with their neighbour."""
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
