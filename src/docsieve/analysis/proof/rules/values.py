"""Values and comparisons for rules."""

import re
from datetime import date
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext

from docsieve.values.amounts import parse_amount
from docsieve.values.dates import parse_date
from docsieve.values.numbers import decimal_of

Operand = Decimal | str | bool | date | float | None

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d*)\]")
_MAX_LEAVES = 200_000


class NotApplicable(Exception):
    """An operand is null or has an unusable type, so the rule is not applicable."""


def leaves_at(value: object, path: str, item: int | None) -> list[tuple[str, object]]:
    """The values at a path with their full paths. The first `[]` is the given item, others mean all items."""
    found: list[tuple[str, object]] = [("", value)]
    for name, number in _STEP.findall(path):
        onward: list[tuple[str, object]] = []
        for place, each in found:
            if name:
                if isinstance(each, dict):
                    onward.append((f"{place}.{name}" if place else name, each.get(name)))
            elif isinstance(each, list):
                wanted = range(len(each)) if number == "" and item is None else [item if number == "" else int(number)]
                onward += [(f"{place}[{i}]", each[i]) for i in wanted if i is not None and i < len(each)]
        if not name and number == "":
            item = None
        found = onward[:_MAX_LEAVES]
    return found


def compute(operator: str, operands: list[Operand]) -> Decimal:
    left, right = (as_number(each) for each in operands)
    with localcontext() as context:
        context.prec = 40
        try:
            if operator == "+":
                return left + right
            if operator == "-":
                return left - right
            return left * right if operator == "*" else left / right
        except (DivisionByZero, InvalidOperation, OverflowError) as error:
            raise NotApplicable from error


def compare(operator: str, left: Operand, right: Operand, tolerance: Decimal) -> bool:
    """Numbers are equal within the tolerance, which also applies to `<=` and `>=`."""
    if left is None or right is None:
        raise NotApplicable
    days = _dates(left, right)
    if days is not None:
        return _ordered(operator, (days[0] > days[1]) - (days[0] < days[1]))
    if isinstance(left, bool) or isinstance(right, bool) or _are_words(left, right):
        if operator not in ("==", "!="):
            raise NotApplicable
        return _ordered(operator, 0 if _same(left, right) else 1)
    difference = as_number(left) - as_number(right)
    if abs(difference) <= tolerance:
        return operator in ("==", "<=", ">=")
    return _ordered(operator, 1 if difference > 0 else -1)


def function(name: str, arguments: list[Operand]) -> Operand:
    if name == "len":
        return Decimal(len(arguments))
    if name == "date":
        day = parse_date(arguments[0]) if isinstance(arguments[0], str) else arguments[0]
        return day if isinstance(day, date) else _refuse()
    numbers = [as_number(each) for each in arguments]
    if not numbers:
        raise NotApplicable
    if name == "sum":
        return sum(numbers, Decimal(0))
    if name in ("min", "max"):
        return min(numbers) if name == "min" else max(numbers)
    if name == "round":
        return round(numbers[0], int(numbers[1]) if len(numbers) > 1 else 0)
    return abs(numbers[0])


def as_number(value: Operand) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise NotApplicable
    if isinstance(value, str):
        amount = parse_amount(value)
        return amount.value if amount is not None else _refuse()
    number = value if isinstance(value, Decimal) else decimal_of(value)
    return number if number.is_finite() and number.adjusted() < 60 else _refuse()


def _refuse() -> Decimal:
    raise NotApplicable


def _dates(left: Operand, right: Operand) -> tuple[date, date] | None:
    days = [parse_date(each) if isinstance(each, str) else each for each in (left, right)]
    one, two = days
    return (one, two) if isinstance(one, date) and isinstance(two, date) else None


def _are_words(left: Operand, right: Operand) -> bool:
    texts = [each for each in (left, right) if isinstance(each, str)]
    return len(texts) == 2 and any(parse_amount(each) is None for each in texts)


def _same(left: Operand, right: Operand) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return left.strip().casefold() == right.strip().casefold()
    return left is right if isinstance(left, bool) or isinstance(right, bool) else left == right


def _ordered(operator: str, sign: int) -> bool:
    return {
        "==": sign == 0,
        "!=": sign != 0,
        "<": sign < 0,
        "<=": sign <= 0,
        ">": sign > 0,
        ">=": sign >= 0,
    }[operator]
