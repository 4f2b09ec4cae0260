"""Judges whether a text layer is plausible, or the product of a broken font map."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from docsieve.parsers.pdf.direct import has_no_meaning

# Characters from a broken font map: replacement and private characters, controls, unassigned ones.
_BROKEN = re.compile("[\x00\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufdd0-\ufdef\ufff0-\uffff]+")
_LETTER = re.compile("[A-Za-z\xc0-\u024f\u1e00-\u1eff]+")
_VOWEL = re.compile("[aeiouAEIOU\xc0-\u024f\u1e00-\u1eff]+")
_KINDS = [(kind, bytes(code for code in range(128) if kind.match(chr(code)))) for kind in (_BROKEN, _LETTER, _VOWEL)]
_ASCII_UNSEEN = bytes(code for code in range(128) if chr(code).isspace()) + b"\x02"
_BEYOND_ASCII = re.compile("[^\x00-\x7f]+")

_SAMPLE = 24
_ENOUGH = 2_000
_BROKEN_SHARE = 0.3
_BROKEN_SHARE_OF_LONG_TEXT = 0.1
_LONG_TEXT = 100
_UNMAPPED_SHARE = 0.8

# Latin script of any language has more than a quarter of vowels; glyph numbers taken for characters have about 13 %.
_LETTERS_TO_JUDGE = 200
_MIN_VOWELS = 0.2

# OCR of a right text layer has this share of its sequences of so many characters; of a wrong one it has almost none.
_SEQUENCE = 3
_AGREEING_SHARE = 0.6


def is_usable(text_page: Any, characters: str, fonts_vouch: Callable[[list[int]], bool]) -> bool:
    """Whether the characters can be what the page shows; False without any characters.

    Codes and sequences read like glyph numbers that were taken for characters. Which of the two it is, is then
    decided by the fonts of the characters at some positions.
    """
    counts = _Counts(characters)
    return (
        counts.are_plausible
        and not _is_unmapped(text_page, characters)
        and (not counts.may_be_glyph_numbers or fonts_vouch(sampled_places(characters, _SAMPLE)))
    )


def is_plausible(characters: str) -> bool:
    return _Counts(characters).are_plausible


def agrees(layer: str, seen: str) -> bool:
    """Whether OCR agrees with a text layer, apart from mistakes and the order of lines."""
    of_layer, of_seen = _sequences(layer), _sequences(seen)
    return 0 < max(of_layer.total(), of_seen.total()) * _AGREEING_SHARE <= (of_layer & of_seen).total()


def _sequences(text: str) -> Counter[str]:
    signs = "".join(filter(str.isalnum, text.casefold()))
    return Counter(signs[place : place + _SEQUENCE] for place in range(len(signs) - _SEQUENCE + 1))


class _Counts:
    """Count the characters of each kind at the beginning of a text."""

    def __init__(self, characters: str) -> None:
        start = characters[:_ENOUGH]
        # ASCII, which is most of a text in any Latin script, is counted in a tenth of the time.
        signs = start.encode("ascii", "ignore").translate(None, _ASCII_UNSEEN)
        others = "" if start.isascii() else "".join("".join(_BEYOND_ASCII.findall(start)).split())
        self._visible = len(signs) + len(others)
        self._broken, self._letters, self._vowels = (
            len(signs) - len(signs.translate(None, in_ascii)) + (_count(kind, others) if others else 0)
            for kind, in_ascii in _KINDS
        )

    @property
    def are_plausible(self) -> bool:
        most = _BROKEN_SHARE if self._visible < _LONG_TEXT else _BROKEN_SHARE_OF_LONG_TEXT
        return self._visible > 0 and self._broken <= self._visible * most

    @property
    def may_be_glyph_numbers(self) -> bool:
        """Few vowels among many letters; tables of codes have few vowels too, but few letters among the digits."""
        if self._letters < _LETTERS_TO_JUDGE or self._letters * 2 < self._visible:
            return False
        return self._vowels < self._letters * _MIN_VOWELS


def _count(signs: re.Pattern[str], text: str) -> int:
    """Count the signs; adjacent ones are found at once."""
    return sum(map(len, signs.findall(text)))


def _is_unmapped(text_page: Any, characters: str) -> bool:
    """Whether most characters have no mapping in their font, so that the text has bare codes."""
    places = sampled_places(characters, _SAMPLE)
    may_be_unmapped = len(places)
    for place in places:
        if has_no_meaning(text_page, place) != 1:
            may_be_unmapped -= 1
            if may_be_unmapped <= len(places) * _UNMAPPED_SHARE:
                return False
    return may_be_unmapped > 0


def sampled_places(characters: str, count: int) -> list[int]:
    """Return indices of visible characters, spread evenly over the text."""
    step = max(1, len(characters) // count)
    return [place for place in range(step // 2, len(characters), step) if not characters[place].isspace()]
