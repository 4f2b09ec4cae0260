"""An invoice with text: letterhead, line items, totals, bank details."""

from decimal import Decimal

from samples.sheet import FAINT, HEIGHT, WIDTH, Sheet
from samples.typefaces import SANS_BOLD

_LEFT, _RIGHT = 56.0, WIDTH - 56.0
_ACCENT = "#0f766e"

_ITEMS = (
    ("Standing desk Fjord, oak, 160 x 80 cm", 4, "pcs", "649.00"),
    ("Task chair Lumen, graphite", 6, "pcs", "289.50"),
    ("Monitor arm, single, aluminium", 6, "pcs", "94.90"),
    ("Acoustic panel, felt, 120 x 60 cm", 8, "pcs", "58.25"),
    ("Assembly on site", 5, "hours", "62.00"),
)
_COLUMNS = (("Pos.", 56.0, "left"), ("Description", 92.0, "left"), ("Quantity", 356.0, "right"),
            ("Unit", 372.0, "left"), ("Unit price", 470.0, "right"), ("Amount", _RIGHT, "right"))  # fmt: skip


def _money(amount: Decimal) -> str:
    return f"{amount.quantize(Decimal('0.01')):,}"


def _logo(sheet: Sheet) -> None:
    canvas = sheet.canvas
    canvas.setFillColor(_ACCENT)
    canvas.roundRect(_LEFT, HEIGHT - 92, 38, 38, 8, stroke=0, fill=1)
    canvas.setStrokeColor("#ffffff")
    canvas.setLineWidth(2.4)
    canvas.setLineCap(1)
    for offset in (0, 7, 14):
        canvas.bezier(_LEFT + 9, HEIGHT - 85 + offset, _LEFT + 16, HEIGHT - 79 + offset,
                      _LEFT + 22, HEIGHT - 88 + offset, _LEFT + 29, HEIGHT - 82 + offset)  # fmt: skip


def _head(sheet: Sheet) -> None:
    _logo(sheet)
    sheet.text(_LEFT + 50, 72, "Nordlicht Furniture GmbH", font=SANS_BOLD, size=15)
    sheet.text(_LEFT + 50, 88, "Speicherweg 12, 20457 Hamburg, Germany", size=9, ink=FAINT)
    seller = ["Phone: +49 40 5550 1420", "E-mail: billing@nordlicht.example", "VAT ID: DE136695976"]
    y = 58.0
    for line in seller:
        sheet.text(_RIGHT, y, line, size=8.5, ink=FAINT, to="right")
        y += 12


def _parties(sheet: Sheet) -> None:
    sheet.text(_LEFT, 160, "Bill to", size=8.5, ink=FAINT)
    sheet.text(_LEFT, 175, "Kestrel & Finch Architects B.V.", font=SANS_BOLD, size=10.5)
    sheet.lines(_LEFT, 190, ["Prinsengracht 418", "1016 JC Amsterdam", "Netherlands"])
    facts = (
        ("Invoice number", "NL-2026-0417"),
        ("Invoice date", "12 March 2026"),
        ("Due date", "11 April 2026"),
        ("Customer number", "K-20815"),
        ("Customer VAT ID", "NL004495445B01"),
        ("Customer tax number", "004495445"),
        ("Purchase order", "PO-77310"),
    )
    y = 160.0
    for label, value in facts:
        sheet.text(356, y, label, ink=FAINT)
        sheet.text(_RIGHT, y, value, to="right")
        y += 15
    sheet.text(_LEFT, 268, "Invoice", font=SANS_BOLD, size=22, ink=_ACCENT)


def _table(sheet: Sheet) -> tuple[float, Decimal]:
    y = 304.0
    sheet.block(_LEFT - 6, y - 15, _RIGHT - _LEFT + 12, 22, ink="#e8f3f1")
    for name, x, to in _COLUMNS:
        sheet.text(x, y, name, font=SANS_BOLD, size=9, to=to)
    subtotal = Decimal(0)
    for position, (description, quantity, unit, price) in enumerate(_ITEMS, 1):
        y += 25
        amount = quantity * Decimal(price)
        subtotal += amount
        cells = (str(position), description, str(quantity), unit, _money(Decimal(price)), _money(amount))
        for cell, (_, x, to) in zip(cells, _COLUMNS, strict=True):
            sheet.text(x, y, cell, to=to)
        sheet.rule(_LEFT - 6, y + 9, _RIGHT + 6)
    return y, subtotal


def _totals(sheet: Sheet, y: float, subtotal: Decimal) -> None:
    tax = (subtotal * Decimal("0.19")).quantize(Decimal("0.01"))
    for label, amount in (("Subtotal", subtotal), ("VAT amount (19%)", tax)):
        sheet.text(356, y, label, ink=FAINT)
        sheet.text(_RIGHT, y, f"EUR {_money(amount)}", to="right")
        y += 18
    sheet.rule(350, y - 6, _RIGHT + 6, ink=_ACCENT, thickness=1.2)
    sheet.text(356, y + 12, "Total", font=SANS_BOLD, size=12)
    sheet.text(_RIGHT, y + 12, f"EUR {_money(subtotal + tax)}", font=SANS_BOLD, size=12, to="right")


def _payment(sheet: Sheet) -> None:
    sheet.text(_LEFT, 622, "Payment", font=SANS_BOLD, size=10.5, ink=_ACCENT)
    facts = (
        ("Payment terms:", "30 days net, without deduction"),
        ("IBAN:", "DE89 3704 0044 0532 0130 00"),
        ("BIC:", "HAHBDEH2XXX"),
        ("Payment reference:", "NL-2026-0417"),
    )
    y = 640.0
    for label, value in facts:
        sheet.text(_LEFT, y, label, ink=FAINT)
        sheet.text(_LEFT + 96, y, value)
        y += 15
    sheet.text(_LEFT, 728, "Thank you for your order. Goods were delivered on 9 March 2026.", ink=FAINT)
    sheet.rule(_LEFT, 772, _RIGHT)
    footer = "Nordlicht Furniture GmbH · Managing director: Ida Brandt"
    sheet.text(_LEFT, 786, footer, size=7.5, ink=FAINT)


def make() -> bytes:
    sheet = Sheet("Invoice NL-2026-0417", "Nordlicht Furniture GmbH")
    _head(sheet)
    _parties(sheet)
    y, subtotal = _table(sheet)
    _totals(sheet, y + 36, subtotal)
    _payment(sheet)
    return sheet.finished()
