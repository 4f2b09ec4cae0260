"""Columns identified by arithmetic: if two numbers multiply to a third, they are quantity, price and amount."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import permutations

MIN_ROWS = 2
_MAX_COLUMNS = 8
_SHARE = 0.7
_CENT = Decimal("0.011")

Numbers = Sequence[Decimal | None]


def quantity_and_price(columns: Mapping[int, Numbers], total: int) -> tuple[int, int] | None:
    """The leftmost columns of quantity and price whose product is the column `total`."""
    others = [place for place in sorted(columns) if place != total][:_MAX_COLUMNS]
    for quantity, price in permutations(others, 2):
        if quantity < price and _fits(columns[quantity], columns[price], columns[total]):
            return quantity, price
    return None


def _fits(quantities: Numbers, prices: Numbers, totals: Numbers) -> bool:
    rows = [
        abs(quantity * price - total) <= max(_CENT, abs(total) * Decimal("0.001"))
        for quantity, price, total in zip(quantities, prices, totals, strict=False)
        if quantity is not None and price is not None and total is not None and total != 0
    ]
    telling = len({total for total in totals if total is not None}) > 1
    return len(rows) >= MIN_ROWS and telling and sum(rows) >= _SHARE * len(rows)
