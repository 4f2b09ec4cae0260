"""A service agreement: its parties, numbered clauses and signatures."""

from samples.sheet import FAINT, HEIGHT, WIDTH, Sheet
from samples.typefaces import SANS, SANS_BOLD

_LEFT, _RIGHT = 62.0, WIDTH - 62.0
_ACCENT = "#7a2e2e"

_PARTIES = (
    ("Party name", "Role", "Address", "Registration number", "Representative"),
    ("Bluewater Analytics Ltd", "Provider", "5 Harbour Row, Bristol BS1 4QD", "08123456", "Harriet Vale"),
    ("Meadowbrook Foods plc", "Client", "88 Orchard Lane, Leeds LS2 7EW", "00765432", "Owen Pritchard"),
)
_SIGNATURES = (
    ("Name", "Position", "Party", "Date"),
    ("Harriet Vale", "Managing Director", "Bluewater Analytics Ltd", "15 January 2026"),
    ("Owen Pritchard", "Chief Operating Officer", "Meadowbrook Foods plc", "15 January 2026"),
)
_CLAUSES = (
    ("1. Services", (
        "Subject: operation of a demand forecast for fresh produce",
        "The Provider shall build and operate the forecast and report once a month on how accurate it was. The Client "
        "shall give the Provider the sales data that the forecast needs, on every working day before noon.",
    )),
    ("2. Duration", (
        "Effective date: 1 February 2026",
        "End date: 31 January 2028",
        "Term: two years",
        "Renewal: by one further year, unless a party objects",
        "Notice period: three months",
    )),
    ("3. Fees", (
        "Total value: GBP 84,000.00",
        "Payment terms: monthly in arrears, within 30 days",
    )),
    ("4. Confidentiality", (
        "Each party shall keep secret what it learns about the other, and use it for this Agreement only. This holds "
        "for five years after the end of the Agreement.",
    )),
    ("5. Limits", (
        "Liability cap: the fees of the last twelve months",
        "Nothing in this Agreement limits what a party owes for wilful or grossly negligent acts.",
    )),
    ("6. Law and disputes", (
        "Governing law: England and Wales",
        "Jurisdiction: the courts of London",
    )),
)  # fmt: skip


def _table(sheet: Sheet, y: float, edges: tuple[float, ...], rows: tuple[tuple[str, ...], ...]) -> float:
    sheet.block(_LEFT, y - 12, _RIGHT - _LEFT, 18, ink="#f6eeec")
    for number, row in enumerate(rows):
        for cell, x in zip(row, edges, strict=True):
            sheet.text(x, y, cell, font=SANS if number else SANS_BOLD, size=8.2)
        sheet.rule(_LEFT, y + 6, _RIGHT)
        y += 19
    return y


def _head(sheet: Sheet) -> float:
    sheet.rule(_LEFT, 56, _RIGHT, ink=_ACCENT, thickness=2)
    sheet.text(_LEFT, 86, "Service Agreement", font=SANS_BOLD, size=21, ink=_ACCENT)
    said = ["Contract title: Service Agreement on Demand Forecasts", "Contract number: SA-2026-031",
            "Contract type: Services"]  # fmt: skip
    y = sheet.lines(_LEFT, 110, said, leading=14)
    sheet.text(_LEFT, y + 10, "This Agreement was made on 15 January 2026 between the following parties:")
    return _table(sheet, y + 34, (_LEFT + 6, _LEFT + 112, _LEFT + 164, _LEFT + 304, _LEFT + 396), _PARTIES)


def _clauses(sheet: Sheet, y: float) -> float:
    for heading, paragraphs in _CLAUSES:
        y += 13
        sheet.text(_LEFT, y, heading, font=SANS_BOLD, size=10.5, ink=_ACCENT)
        y += 16
        for paragraph in paragraphs:
            y = sheet.paragraph(_LEFT + 14, y, _RIGHT - _LEFT - 14, paragraph, size=9.2)
    return y


def _sign(sheet: Sheet, x: float, y: float, *, rising: float) -> None:
    canvas = sheet.canvas
    canvas.setStrokeColor("#22406e")
    canvas.setLineWidth(1.2)
    bottom = HEIGHT - y
    canvas.bezier(x, bottom, x + 22, bottom + 30, x + 26, bottom - 22, x + 52, bottom + rising)
    canvas.bezier(x + 52, bottom + rising, x + 66, bottom + 18, x + 76, bottom - 12, x + 104, bottom + 6)


def make() -> bytes:
    sheet = Sheet("Service Agreement SA-2026-031", "Bluewater Analytics Ltd")
    y = _clauses(sheet, _head(sheet)) + 14
    sheet.text(_LEFT, y, "Signatures", font=SANS_BOLD, size=10.5, ink=_ACCENT)
    y = _table(sheet, y + 20, (_LEFT + 6, _LEFT + 120, _LEFT + 262, _LEFT + 392), _SIGNATURES)
    _sign(sheet, _LEFT + 20, y + 30, rising=8)
    _sign(sheet, _LEFT + 250, y + 30, rising=-4)
    sheet.text(_LEFT, 806, "SA-2026-031", size=7.5, ink=FAINT)
    return sheet.finished()
