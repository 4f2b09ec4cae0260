"""Real documents measured with a ready-made schema: the names that its fields have in their truth.

What a truth says of other fields is left out, and so is what the schema asks for and the truth does not know.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from docsieve.evaluation.datasets import Sample

RECEIPT = {"company": "merchant", "address": "address", "date": "date", "total": "total"}
SHOP_RECEIPT = {
    "store_name": "merchant", "store_addr": "address", "tel": "phone", "date": "date", "time": "time",
    "subtotal": "subtotal", "tax": "tax", "tips": "tip", "total": "total",
}  # fmt: skip
INVOICE = {
    "invoice_number": "invoice_number", "issue_date": "issue_date", "seller_name": "seller.name",
    "buyer_name": "buyer.name", "currency": "currency", "net_total": "subtotal", "tax_total": "tax_total",
    "grand_total": "total", "amount_due": "amount_due", "line_items": "line_items", "name": "description",
    "quantity": "quantity", "unit_price": "unit_price", "line_total": "amount",
}  # fmt: skip


def renamed(sample: Sample, names: Mapping[str, str]) -> Sample:
    """The sample with the truth of these fields, by their names or paths in the schema."""
    return replace(sample, truth=_renamed(sample.truth, names), boxes={})


def _renamed(truth: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in truth.items():
        if name not in names:
            continue
        *outer, last = names[name].split(".")
        part = found
        for step in outer:
            part = part.setdefault(step, {})
        rows = isinstance(value, list) and all(isinstance(each, Mapping) for each in value)
        part[last] = [_renamed(each, names) for each in value] if rows else value
    return found
