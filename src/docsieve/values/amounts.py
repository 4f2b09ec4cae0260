"""Amounts of money: a number, and the currency next to it, if any."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from docsieve.values.currencies import CODE_PATTERN, SYMBOL_PATTERN, currency_of
from docsieve.values.numbers import NUMBER_PATTERN, DecimalMark, read_digits, without_slips

_MAX_LENGTH = 60
_MAX_LINE = 400
_DIGIT = re.compile(r"\d")
_MINUS = "-−–"
_CURRENCY = f"(?:{CODE_PATTERN}|{SYMBOL_PATTERN})"
_NUMBER_OF_TWO_DECIMALS = re.compile(r".*[.,](?:\d{2}|\s?[-–—−]{1,2})")
_GROUPED = re.compile(r"\d{1,3}(?:[.,'’]\d{3})+")


@dataclass(frozen=True, slots=True)
class Amount:
    value: Decimal
    currency: str | None
    text: str


@cache
def _find() -> re.Pattern[str]:
    # compiled when first used, because it takes 20 ms and most processes never do
    return re.compile(
        rf"(?P<open>\()?(?P<sign1>[{_MINUS}+]\s?)?(?:(?P<before>{_CURRENCY})\s{{0,3}}:?\s?)?(?P<open2>\()?(?P<sign2>[{_MINUS}+]\s?)?"
        rf"(?<![\d.,/])(?P<digits>{NUMBER_PATTERN})(?P<sign3>[{_MINUS}](?![\w]))?"
        rf"(?:\s{{0,2}}(?P<after>{_CURRENCY}))?(?P<close>\))?(?![\d/%]|[.,]\d|\s?%)",
    )


def parse_amount(text: str, *, decimal: DecimalMark | None = None) -> Amount | None:
    """Parse a text that is an amount, with or without a currency; None for any other text.

    Letters that OCR confuses with digits are corrected where only a number makes sense.
    """
    said = " ".join(text.split()).strip(" :;*=")
    if not said or len(said) > _MAX_LENGTH or not any(each.isdigit() for each in said):
        return None
    amount = _whole(said, decimal)
    if amount is not None:
        return amount
    repaired = [without_slips(part) or part for part in said.split(" ")]
    return _whole(" ".join(repaired), decimal)


def find_amounts(text: str, *, decimal: DecimalMark | None = None) -> list[tuple[int, int, Amount]]:
    """Find amounts that look like money: with a currency, two decimals, or grouped thousands."""
    if _DIGIT.search(text) is None:
        return []
    return list(_found_in_line(text, decimal) if len(text) <= _MAX_LINE else _found(text, decimal))


@lru_cache(maxsize=4096)
def _found_in_line(text: str, decimal: DecimalMark | None) -> tuple[tuple[int, int, Amount], ...]:
    """The lines of a page are asked for amounts many times."""
    return tuple(_found(text, decimal))


def _found(text: str, decimal: DecimalMark | None) -> list[tuple[int, int, Amount]]:
    found = []
    for match in _find().finditer(text[:20_000]):
        money = match["before"] or match["after"]
        digits = match["digits"]
        if not (money or _NUMBER_OF_TWO_DECIMALS.fullmatch(digits) or _GROUPED.fullmatch(digits)):
            continue
        if text[match.end() : match.end() + 1].isalpha() and not match["after"]:
            continue
        amount = _amount(match, decimal)
        if amount is not None:
            found.append(_placed(text, match, amount))
    return found


def _placed(text: str, match: re.Match[str], amount: Amount) -> tuple[int, int, Amount]:
    """Return the range of the amount without an unpaired bracket or a dash that joins words."""
    opened = match["open"] or match["open2"]
    end = match.end() if opened or not match["close"] else match.end() - 1
    start = match.start() if match["close"] or not match["open"] else match.start() + 1
    if match["open"] is None and match["sign1"] and _joins(text, match.start()):
        start = match.start("before") if match["before"] else match.start("digits")
        amount = Amount(abs(amount.value), amount.currency, text[start:end])
    return start, end, amount


def _joins(text: str, place: int) -> bool:
    """Whether the dash at `place` joins words or codes (`No.5-1.20`) instead of making a number negative."""
    return place > 0 and text[place - 1].isalnum()


def _whole(said: str, decimal: DecimalMark | None) -> Amount | None:
    match = _find().fullmatch(said)
    if match is None:
        named = re.fullmatch(r"(.+?)\s(\D{3,30})", said)
        if named is None or (code := currency_of(named[2])) is None or (inner := _whole(named[1], decimal)) is None:
            return None
        return Amount(inner.value, code, said)
    return _amount(match, decimal)


def _amount(match: re.Match[str], decimal: DecimalMark | None) -> Amount | None:
    digits = match["digits"]
    if len(digits) > 40:
        return None
    money = match["before"] or match["after"]
    value = read_digits(digits, decimal=decimal, grouped_by_point=money is not None)
    if value is None:
        return None
    bracketed = (match["open"] or match["open2"]) and match["close"]
    signs = [match["sign1"], match["sign2"], match["sign3"]]
    negative = bracketed or any(sign and sign.strip() in _MINUS for sign in signs)
    return Amount(-value if negative else value, currency_of(money) if money else None, match[0].strip())
