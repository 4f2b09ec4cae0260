"""Turns the output of a line recognizer into characters with positions, and those into words."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

# A gap between the middles of two characters, measured by what their widths lead to expect in this line, that is a
# space although none was recognized. The small one counts where a space is usual, after a stop or before a bracket:
# engines drop it there most.
_WIDE_GAP = 2.6
_GAP_AT_STOP = 1.9
_WIDE, _NARROW = frozenset("mwMW@%&—…"), frozenset("iljtfrI.,:;|!'`()[]")

_EAST_ASIAN = re.compile(
    "[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]"
)
_FULL_WIDTH = re.compile("[\uff01-\uff5e\u3000\u3001\u3002\u3010\u3011]")
_IDEOGRAPHIC_STOPS = str.maketrans("、。【】", ",.[]")


@dataclass(frozen=True, slots=True)
class Character:
    """`place` is its center, in pixels from the left end of the line."""

    text: str
    place: float
    confidence: float


_NO_PAIR = ((Character("", 0.0, 1.0), Character("", 1.0, 1.0)),)


def is_east_asian(text: str) -> bool:
    return _EAST_ASIAN.match(text) is not None


def decode(
    best: NDArray[np.intp], likelihood: NDArray[np.float32], alphabet: Sequence[str], column_width: float
) -> list[Character]:
    """Return the characters of a CTC output, given the best class of each column and how likely it is.

    Class 0 is the blank, which `alphabet` lacks.
    """
    edges = np.flatnonzero(np.diff(best, prepend=-1, append=-1))
    starts = edges[:-1]
    places = (starts + edges[1:]) * (column_width / 2)
    confidences = np.maximum.reduceat(likelihood, starts)
    return [
        Character(alphabet[found - 1], place, confidence)
        for found, place, confidence in zip(best[starts].tolist(), places.tolist(), confidences.tolist(), strict=True)
        if found
    ]


def split_words(line: list[Character]) -> list[list[Character]]:
    """Split characters into words at spaces, and at gaps as wide as a space."""
    western = not any(is_east_asian(character.text) for character in line)
    unit = _unit(line)
    words: list[list[Character]] = [[]]
    for before, here in zip([None, *line], line, strict=False):
        if here.text.isspace():
            words.append([])
            continue
        if before and not before.text.isspace() and _parted(before, here, unit, western):
            words.append([])
        words[-1].append(_half_width(here) if western else here)
    return [word for word in words if word]


def confidence_of(line: list[Character]) -> float:
    return sum(character.confidence for character in line) / len(line) if line else 0.0


def _unit(line: list[Character]) -> float:
    """Return the typical character width of the line."""
    pairs = [pair for pair in pairwise(line) if not pair[0].text.isspace() and not pair[1].text.isspace()]
    return max(
        1.0, median((after.place - before.place) / _expected(before, after) for before, after in pairs or _NO_PAIR)
    )


def _expected(before: Character, after: Character) -> float:
    return (_width(before.text) + _width(after.text)) / 2


def _width(text: str) -> float:
    if text in _WIDE:
        return 1.5
    return 0.6 if text in _NARROW else 1.0


def _parted(before: Character, here: Character, unit: float, western: bool) -> bool:
    gap = (here.place - before.place) / (unit * _expected(before, here))
    if gap > _WIDE_GAP:
        return True
    if not western:
        return False
    # A full-width sign among western letters is a narrow one with space around it.
    if here.text == "（" or before.text in "），：；、。":
        return True
    stop = before.text == ":" or (before.text in ".,;)" and here.text.isalpha()) or here.text == "("
    return stop and gap > _GAP_AT_STOP


def _half_width(character: Character) -> Character:
    if not _FULL_WIDTH.match(character.text):
        return character
    text = unicodedata.normalize("NFKC", character.text).translate(_IDEOGRAPHIC_STOPS)
    return Character(text, character.place, character.confidence)
