"""Documents to extract from, whose values are known: invoices of one page, and one long table over many."""

import random
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from docsieve.domain.schemas.fields import Schema

ROWS_A_PAGE = 45
ITEMS = ("Paper A4", "Toner black", "Desk lamp", "Chair", "Cable 2 m", "Notebook", "Stapler", "Whiteboard")

TABLE_SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "entries": {
            "type": "array",
            "description": "all entries of the table",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "string", "description": "entry number"},
                    "date": {"type": "string", "format": "date"},
                    "article": {"type": "string"},
                    "quantity": {"type": "integer"},
                    "amount": {"type": "number", "format": "amount"},
                },
            },
        }
    },
}


@dataclass(frozen=True)
class Entry:
    number: str
    day: date
    article: str
    quantity: int
    amount: float


def write_invoice(path: Path, seed: int) -> Path:
    chance = random.Random(seed)
    canvas = Canvas(str(path), pagesize=A4)
    top = A4[1] - 60
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(60, top, f"Northwind Supplies {seed} Ltd")
    canvas.setFont("Helvetica", 10)
    canvas.drawString(60, top - 18, f"{1 + seed % 90} Harbour Road, Bristol BS1 {seed % 9 + 1}AA")
    for line, (label, value) in enumerate(
        (("Invoice number", f"INV-{10_000 + seed}"), ("Invoice date", f"{1 + seed % 28:02d}.03.2025"))
    ):
        canvas.drawString(360, top - 60 - 14 * line, f"{label}: {value}")
    _heading(canvas, top - 120, ("Description", "Qty", "Price", "Amount"))
    total, height = 0.0, top - 120
    for number in range(6):
        height -= 16
        quantity, price = chance.randint(1, 9), chance.randint(100, 9_900) / 100
        total += quantity * price
        cells = (ITEMS[(seed + number) % len(ITEMS)], str(quantity), f"{price:.2f}", f"{quantity * price:.2f}")
        _row(canvas, height, cells)
    sums = (("Subtotal", total), ("VAT 20 %", total * 0.2), ("Total", total * 1.2))
    for line, (label, amount) in enumerate(sums):
        canvas.drawString(360, height - 30 - 14 * line, label)
        canvas.drawRightString(530, height - 30 - 14 * line, f"{amount:,.2f} GBP")
    canvas.save()
    return path


def write_table(path: Path, rows: int) -> list[Entry]:
    """A table of so many rows; every page repeats its heading."""
    first = date(2024, 1, 1)
    entries = [
        Entry(
            f"E{100_000 + n}",
            first + timedelta(n % 700),
            ITEMS[n % len(ITEMS)],
            1 + n % 50,
            (n * 37 % 90_000) / 100 + 1,
        )
        for n in range(rows)
    ]
    canvas = Canvas(str(path), pagesize=A4)
    for start in range(0, rows, ROWS_A_PAGE):
        height = A4[1] - 60
        canvas.setFont("Helvetica", 9)
        _heading(canvas, height, ("Number", "Date", "Article", "Quantity", "Amount"))
        for each in entries[start : start + ROWS_A_PAGE]:
            height -= 15
            cells = (each.number, each.day.isoformat(), each.article, str(each.quantity), f"{each.amount:.2f}")
            _row(canvas, height, cells)
        canvas.showPage()
    canvas.save()
    return entries


def _heading(canvas: Canvas, height: float, names: tuple[str, ...]) -> None:
    _row(canvas, height, names)
    canvas.line(60, height - 4, 540, height - 4)


def _row(canvas: Canvas, height: float, cells: tuple[str, ...]) -> None:
    for column, text in enumerate(cells):
        canvas.drawString(60 + column * 480 / len(cells), height, text)
