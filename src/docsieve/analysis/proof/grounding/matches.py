"""Finds all occurrences of a value, in any notation."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from docsieve.analysis.proof.grounding.fuzzy import near_matches, same_digits
from docsieve.analysis.proof.grounding.pieces import pieces_of
from docsieve.analysis.proof.grounding.values import Place, ValueIndex, index_values
from docsieve.analysis.proof.grounding.words import PAGE_END, WordIndex, runs_of
from docsieve.domain.schemas.fields import Scalar, SchemaField
from docsieve.values.amounts import parse_amount
from docsieve.values.currencies import CODES, find_currencies
from docsieve.values.dates import parse_date
from docsieve.values.numbers import decimal_of, plain
from docsieve.values.times import parse_time

MAX_MATCHES = 200
_LONGEST = 4_000
_ERRORS_PER_LETTER = 0.16
# Limit of page text, in characters, for all searches of an extraction that cannot use an index: a few seconds.
_SCANNED_CHARACTERS = 6_000_000_000
_LETTER_COST = 4_000  # comparing a letter approximately costs as much as skipping this many
_LONGEST_NEAR = 600
_SAME_EVERYWHERE = 100_000
_IDENTIFIER_DIGITS = 6
_COMMON = 64
_IDEOGRAPHS = "\u2e80"
_MONEY = re.compile(r"\d[.,]\d|\D")


@dataclass(frozen=True, slots=True)
class Match:
    """`words` in reading order. `start` and `end` trim the first and the last word if more text is attached."""

    words: tuple[int, ...]
    score: float
    start: int = 0
    end: int | None = None


class Matcher:
    """Looks up values. The indexes of numbers and dates are built on first use."""

    def __init__(self, index: WordIndex) -> None:
        self.index = index
        self._values: ValueIndex | None = None
        self._left = _SCANNED_CHARACTERS
        self._known: dict[tuple[str, str], list[Match]] = {}

    @property
    def values(self) -> ValueIndex:
        if self._values is None:
            self._values = index_values(self.index)
        return self._values

    def matches(self, value: Scalar, field: SchemaField | None) -> list[Match]:
        """Matches in reading order; empty if there are none. Booleans never match by themselves."""
        if value is None or isinstance(value, bool):
            return []
        kind = (field.format or field.kind) if field is not None else "string"
        key = (repr(value), kind)
        if key not in self._known:
            self._known[key] = self._look_up(value, kind)
        return self._known[key]

    def _look_up(self, value: str | float, kind: str) -> list[Match]:
        if not isinstance(value, str):
            return self._numbers(decimal_of(value))
        value = value[:_LONGEST]
        if kind in ("date", "date-time", "string") and (day := parse_date(value)) is not None:
            if kind == "string":
                found = self._text(value, fuzzy=False)
                return found or self._placed(self.values.dates.get(day, ()))
            return self._placed(self.values.dates.get(day, ())) or self._text(value, fuzzy=False)
        if kind == "time" and (time := parse_time(value)) is not None:
            return self._placed(self.values.times.get(time.isoformat("minutes"), ())) or self._text(value, fuzzy=False)
        if kind == "currency" or value in CODES:
            return self._currency(value)
        if kind in ("amount", "percent") or (kind == "string" and _MONEY.search(value)):
            amount = parse_amount(value)
            if amount is not None:
                return self._numbers(amount.value)
        return self._text(value, fuzzy=True)

    def _numbers(self, value: Decimal) -> list[Match]:
        digits = plain(abs(value))
        places = self.values.numbers.get(digits, ())
        # A long number may be an identifier written in groups: 774-00-01-454.
        grouped = not places and digits.isdigit() and len(digits) >= _IDENTIFIER_DIGITS
        return self._text(digits, fuzzy=False) if grouped else self._placed(places, negative=value < 0)

    def _placed(self, places: Iterable[Place], *, negative: bool = False) -> list[Match]:
        found: dict[tuple[int, int], Match] = {}
        for place in places:
            score = 1.0 if place.exact else 0.9
            # Credits are often printed without a minus sign.
            score -= 0.05 if negative and not place.negative else 0.1 if place.negative and not negative else 0.0
            words = tuple(range(place.first, place.last + 1))
            match = Match(words, score, place.start, place.end)
            key = (place.first, place.last)
            if key not in found or found[key].score < score:
                found[key] = match
        return sorted(found.values(), key=lambda each: each.words)

    def _currency(self, value: str) -> list[Match]:
        found = self._text(value, fuzzy=False)
        if found:
            return found
        for number, word in enumerate(self.index.words):
            if any(code == value for _, _, code in find_currencies(word.text)):
                found.append(Match((number,), 0.95))
                if len(found) >= MAX_MATCHES:
                    break
        return found

    def _text(self, value: str, *, fuzzy: bool) -> list[Match]:
        runs = runs_of(value)
        pattern = "".join(runs)
        if not pattern:
            return []
        found = self._by_token(runs, pattern)
        if not found and (len(pattern) >= 4 or (len(pattern) >= 2 and pattern >= _IDEOGRAPHS)):
            found = self._glued(pattern)
        if not found and fuzzy and 6 <= len(pattern) <= _LONGEST_NEAR:
            found = self._near(pattern)
        if not found and fuzzy and len(runs) > 1:
            pieces = pieces_of(self.index, runs)
            found = [Match(words, score) for words, score in pieces]
        return found

    def _by_token(self, runs: list[str], pattern: str) -> list[Match]:
        """Searches around the rarest run of the value; the other runs must surround it."""
        tokens = self.index.tokens
        known = [(len(tokens[run]), number) for number, run in enumerate(runs) if run in tokens]
        if not known:
            return []
        count, rarest = min(known)
        places: Sequence[int] = tokens[runs[rarest]]
        if count > _COMMON and len(runs) > 1:
            pairs = self.index.pairs()
            following_each = [(len(pairs.get(pair, ())), number) for number, pair in enumerate(pairwise(runs))]
            _, rarest = min(following_each)
            places = pairs.get((runs[rarest], runs[rarest + 1]), ())
        shift = sum(len(run) for run in runs[:rarest])
        found = []
        for place in places:
            start = place - shift
            if start < 0 or not self.index.text.startswith(pattern, start):
                continue
            if (match := self._match(start, start + len(pattern), pattern, len(runs))) is not None:
                found.append(match)
            if len(found) >= _SAME_EVERYWHERE:
                break
        return found

    def _glued(self, pattern: str) -> list[Match]:
        if not self._may_read(len(self.index.text)):
            return []
        found: list[Match] = []
        place = self.index.text.find(pattern)
        while place >= 0 and len(found) < MAX_MATCHES:
            if (match := self._match(place, place + len(pattern), pattern, 1)) is not None:
                found.append(match)
            place = self.index.text.find(pattern, place + 1)
        return found

    def _near(self, pattern: str) -> list[Match]:
        most = max(1, int(len(pattern) * _ERRORS_PER_LETTER))
        if not self._may_read((most + 1) * len(self.index.text) + _LETTER_COST * len(pattern)):
            return []
        found = []
        for start, end, errors in near_matches(pattern, self.index.text, most_errors=most):
            there = self.index.text[start:end]
            if PAGE_END in there or not same_digits(pattern, there):
                continue
            words = self._words(start, end)
            found.append(Match(words, 1.0 - errors / len(pattern)))
        return sorted(found, key=lambda each: each.words)

    def _match(self, start: int, end: int, pattern: str, runs: int) -> Match | None:
        """None for accidental matches: inside a word, or digits of several numbers."""
        whole = self._edge(start) and self._edge(end)
        if not whole and (len(pattern) < 8 or pattern.isdigit()):
            return None
        words = self._words(start, end)
        if pattern.isdigit() and len(words) > runs:
            lines = {self.index.words[each].line for each in words}
            if len(pattern) < 6 or len(lines) > 1:
                return None
        return Match(words, 1.0 if whole else 0.9)

    def _edge(self, place: int) -> bool:
        if self.index.edges[place]:
            return True
        before, after = self.index.text[place - 1 : place], self.index.text[place : place + 1]
        # Chinese, Japanese and Korean have no spaces between words.
        return before.isalpha() != after.isalpha() or max(before, after) >= _IDEOGRAPHS

    def _words(self, start: int, end: int) -> tuple[int, ...]:
        first, last = self.index.word_at(start), self.index.word_at(end - 1)
        return tuple(range(first, last + 1))

    def _may_read(self, characters: int) -> bool:
        self._left -= characters
        return self._left > 0


def following(matches: list[Match], word: int, most: int) -> list[Match]:
    """The first few matches that start at or after `word`."""
    start = bisect_left(matches, word, key=lambda each: each.words[0])
    return matches[start : start + most]
