"""Checks the order of dates: nothing is due before it was issued, and nothing ends before it starts."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from docsieve.analysis.proof.checks.concepts import words_of
from docsieve.domain.extraction import Check
from docsieve.values.dates import parse_date

_STARTS = {"start": "end", "from": "to", "begin": "end", "in": "out", "since": "until", "departure": "return"}
_MORE_ENDS = {"end": ("until", "to", "expiry", "expiration", "finish"), "to": ("until", "through", "till", "end")}
_DUE = frozenset(["due", "deadline", "payable", "fallig"])
_ISSUED = frozenset(["date", "issue", "issued", "invoice", "bill", "document", "datum", "issuance", "on"])


def date_checks(value: Any, path: str = "") -> Iterator[tuple[list[str], Check]]:
    """Each check with the two fields it compares."""
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from date_checks(each, f"{path}[{number}]")
        return
    if not isinstance(value, dict):
        return
    texts = {name: each for name, each in value.items() if isinstance(each, str) and parse_date(each) is not None}
    for first, second in _pairs(list(texts)):
        check = _check(texts[first], texts[second])
        if check is not None:
            yield [f"{path}.{first}" if path else first, f"{path}.{second}" if path else second], check
    for name, each in value.items():
        if isinstance(each, dict | list):
            yield from date_checks(each, f"{path}.{name}" if path else name)


def _pairs(names: list[str]) -> Iterator[tuple[str, str]]:
    for first in names:
        for second in names:
            if first != second and _precedes(words_of(first), words_of(second)):
                yield first, second


def _precedes(first: list[str], second: list[str]) -> bool:
    for word in first:
        ends = (_STARTS[word], *_MORE_ENDS.get(_STARTS[word], ())) if word in _STARTS else ()
        for end in ends:
            if end in second and sorted(_without(first, word)) == sorted(_without(second, end)):
                return True
    return bool(set(second) & _DUE) and not set(first) & _DUE and set(first) <= _ISSUED


def _without(words: list[str], word: str) -> list[str]:
    return [each for each in words if each != word]


def _check(first: str, second: str) -> Check | None:
    """Ambiguous dates are tried with day and month in both orders, so that only definite errors fail."""
    by_day = _both(first, second, day_first=True)
    by_month = _both(first, second, day_first=False)
    if by_day is None or by_month is None:
        return None
    right = [one <= two for one, two in (by_day, by_month)]
    if any(right) and not all(right):
        return None
    one, two = by_day
    relation = "is not after" if right[0] else "is after"
    return Check("date_order", right[0], f"{one.isoformat()} {relation} {two.isoformat()}")


def _both(first: str, second: str, *, day_first: bool) -> tuple[date, date] | None:
    one, two = parse_date(first, day_first=day_first), parse_date(second, day_first=day_first)
    return (one, two) if one is not None and two is not None else None
