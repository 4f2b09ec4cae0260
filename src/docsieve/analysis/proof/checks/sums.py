"""Checks the sums of invoices and receipts: quantity and price, lines to net, net and tax to total."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from docsieve.analysis.proof.checks.concepts import Concept, concept_of, number_of
from docsieve.domain.extraction import Check

_CENT = Decimal("0.01")
_CASH = Decimal("0.05")  # cash totals are rounded to five cents in many countries


@dataclass(slots=True)
class _Sums:
    """The amounts of one object by meaning, each with its path."""

    amounts: dict[Concept, list[tuple[str, Decimal]]] = field(default_factory=dict)

    def only(self, concept: Concept) -> tuple[str, Decimal] | None:
        found = self.amounts.get(concept, [])
        return found[0] if len({amount for _, amount in found}) == 1 else None

    def all(self, concept: Concept) -> list[tuple[str, Decimal]]:
        return self.amounts.get(concept, [])


def sum_checks(value: Any) -> Iterator[tuple[list[str], Check]]:
    """Each check with the fields it involves. Only sums with all their fields present are checked."""
    yield from _object_checks(value, "")


def _object_checks(value: Any, path: str) -> Iterator[tuple[list[str], Check]]:
    if not isinstance(value, dict):
        return
    sums = _amounts(value, path)
    if (check := _net_and_tax(sums)) is not None:
        yield check
    lists: list[list[tuple[str, Decimal]]] = []
    for name, each in value.items():
        here = f"{path}.{name}" if path else name
        if isinstance(each, dict):
            yield from _object_checks(each, here)
        elif isinstance(each, list):
            yield from _item_checks(each, here)
            lists += [lines] if (lines := _lines_of(each, here)) else []
    # the totals of a document are often in a separate object
    if (check := _lines(lists, sums if sums.amounts else _nested(value, path))) is not None:
        yield check


def _amounts(value: dict[str, Any], path: str) -> _Sums:
    sums = _Sums()
    for name, each in value.items():
        if isinstance(each, dict | list):
            continue
        concept, amount = concept_of(name, in_item=False), number_of(each)
        if concept is not None and amount is not None:
            sums.amounts.setdefault(concept, []).append((f"{path}.{name}" if path else name, amount))
    return sums


def _nested(value: dict[str, Any], path: str) -> _Sums:
    for name, each in value.items():
        if isinstance(each, dict) and (sums := _amounts(each, f"{path}.{name}" if path else name)).amounts:
            return sums
    return _Sums()


def _net_and_tax(sums: _Sums) -> tuple[list[str], Check] | None:
    net, total, taxes = sums.only("net"), sums.only("total"), sums.all("tax")
    if net is None or total is None or not taxes:
        return None
    added, taken = sums.all("adjustment"), sums.all("reduction")
    tax = sum((amount for _, amount in taxes), Decimal(0))
    extra = sum((amount for _, amount in added), Decimal(0))
    less = sum((abs(amount) for _, amount in taken), Decimal(0))
    if net[1] == total[1]:
        return None  # prices include the tax
    allowed = [net[1] + tax + some - other for some in {Decimal(0), extra} for other in {Decimal(0), less}]
    passed = any(abs(each - total[1]) <= _CASH for each in allowed)
    paths = [net[0], *(path for path, _ in [*taxes, *added, *taken]), total[0]]
    relation = "=" if passed else "is not"
    return paths, Check("sum", passed, f"{net[1]} + {tax} {relation} {total[1]} (net, tax, total)")


def _item_checks(items: list[Any], path: str) -> Iterator[tuple[list[str], Check]]:
    for number, item in enumerate(items):
        if not isinstance(item, dict):
            return
        here = f"{path}[{number}]"
        if (check := _product(_item_amounts(item, here))) is not None:
            yield check
        for name, each in item.items():
            if isinstance(each, dict):
                yield from _object_checks(each, f"{here}.{name}")
            elif isinstance(each, list):
                yield from _item_checks(each, f"{here}.{name}")


def _lines_of(items: list[Any], path: str) -> list[tuple[str, Decimal]]:
    """The total of each line; empty if any line has none."""
    lines = []
    for number, item in enumerate(items):
        if not isinstance(item, dict):
            return []
        parts = _item_amounts(item, f"{path}[{number}]")
        counted = any(concept_of(name, in_item=True) == "quantity" for name in item)
        total = parts.only("line_total") or (None if counted else parts.only("price"))
        if total is None:
            return []
        lines.append(total)
    return lines


def _item_amounts(item: dict[str, Any], path: str) -> _Sums:
    sums = _Sums()
    for name, each in item.items():
        if isinstance(each, dict | list):
            continue
        concept, amount = concept_of(name, in_item=True), number_of(each)
        if concept is not None and amount is not None:
            sums.amounts.setdefault(concept, []).append((f"{path}.{name}", amount))
    return sums


def _product(parts: _Sums) -> tuple[list[str], Check] | None:
    quantity, price, total = (
        parts.only("quantity"),
        parts.only("unit_price") or parts.only("price"),
        parts.only("line_total"),
    )
    if quantity is None or price is None or total is None:
        return None
    product = quantity[1] * price[1]
    # unit prices are printed with few decimals, so the rounding error grows with the quantity
    decimals = min(int(price[1].as_tuple().exponent), -2)
    rounding = _CENT + abs(quantity[1]) * Decimal(5).scaleb(decimals - 1)
    passed = abs(abs(product) - abs(total[1])) <= rounding
    relation = "=" if passed else "is not"
    message = f"{quantity[1]} × {price[1]} {relation} {total[1]} (quantity, unit price, line total)"
    return [quantity[0], price[0], total[0]], Check("sum", passed, message)


def _lines(lists: list[list[tuple[str, Decimal]]], sums: _Sums) -> tuple[list[str], Check] | None:
    """The lines may add up to the net amount, or with tax in their prices to the total.

    If there are several lists, such as materials and labor, it is unknown which belong to the sum: all together can
    confirm it, but nothing can refute it.
    """
    net, total, tax = sums.only("net"), sums.only("total"), sums.only("tax")
    target = net or total
    lines = [line for each in lists for line in each]
    if target is None or not lines:
        return None
    added = sum((amount for _, amount in lines), Decimal(0))
    allowed = [each[1] for each in (net, total) if each is not None]
    if total is not None and tax is not None:
        allowed.append(total[1] - tax[1])
    tolerance = _CASH + _CENT * len(lines) / 2
    passed = any(abs(added - each) <= tolerance for each in allowed)
    if not passed and (sums.all("adjustment") or sums.all("reduction") or len(lists) > 1):
        return None
    message = f"{len(lines)} lines add up to {added}, {'as they should' if passed else f'not to {target[1]}'}"
    return [*(path for path, _ in lines), target[0]], Check("sum", passed, message)
