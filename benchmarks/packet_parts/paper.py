"""Lays out a generated document on pages: letterhead, running headers, footers and page numbers, text and tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from reportlab.lib.pagesizes import A4, LETTER, landscape
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from benchmarks.packet_parts import texts

FONTS = ("Helvetica", "Times-Roman", "Courier")
_BOLD = {"Helvetica": "Helvetica-Bold", "Times-Roman": "Times-Bold", "Courier": "Courier-Bold"}
NUMBERS = (
    None, None, None, "{page} {n} {of} {total}", "{page} {n}/{total}", "{n}/{total}", "{page} {n}", "- {n} -", "{n}",
    "{n} / {total}", "{n} {of} {total}", "[{n}]",
)  # fmt: skip
RUNNING = ("none", "letterhead", "short")

Draw = Callable[[Canvas], None]


@dataclass(slots=True)
class Style:
    """`running` is what later pages repeat of the first; `numbers` is the format of page numbers."""

    language: str
    font: str
    size: float
    margin: float
    paper: tuple[float, float]
    letterhead: str
    numbers: str | None
    number_place: str
    running: str
    footer: str
    """none, first or all pages"""
    first_number: int
    """the first page with a number, 1 or 2"""

    @classmethod
    def drawn(cls, rng: Random, language: str) -> "Style":
        return cls(
            language=language,
            font=rng.choice(FONTS),
            size=rng.choice((8.0, 8.5, 9.0, 10.0, 11.0, 12.0)),
            margin=rng.choice((36.0, 45.0, 56.0, 70.0, 85.0)),
            paper=rng.choice((A4, A4, LETTER)),
            letterhead=rng.choice(("left", "right", "center", "band", "none")),
            numbers=rng.choice(NUMBERS),
            number_place=rng.choice(("footer-right", "footer-center", "header-right")),
            running=rng.choice(RUNNING),
            footer=rng.choice(("none", "first", "all", "all")),
            first_number=rng.choice((1, 1, 1, 2)),
        )


@dataclass(slots=True)
class Sender:
    name: str
    street: str
    city: str
    phone: str
    tax_id: str

    @classmethod
    def drawn(cls, rng: Random, language: str) -> "Sender":
        return cls(
            texts.company(rng, language),
            texts.street(rng, language),
            texts.city(rng, language),
            f"+{rng.randint(1, 49)} {rng.randint(100, 999)} {rng.randint(10000, 99999)}",
            f"{language.upper()}{rng.randint(10**8, 10**9 - 1)}",
        )


@dataclass(slots=True)
class Sheet:
    size: tuple[float, float]
    draws: list[Draw] = field(default_factory=list)


class Paper:
    """A document in the making. `y` is the distance of the next line from the top of the page."""

    def __init__(
        self, style: Style, sender: Sender | None, *, short_title: str = "", size: tuple[float, float] | None = None
    ) -> None:
        self.style = style
        self.sender = sender
        self.short_title = short_title
        self.size = size or style.paper
        self.sheets: list[Sheet] = []
        self.y = 0.0
        self.on_break: Callable[[], None] | None = None
        self.new_page()

    @property
    def labels(self) -> dict[str, str]:
        return texts.LABELS[self.style.language]

    @property
    def width(self) -> float:
        return self.sheets[-1].size[0]

    @property
    def height(self) -> float:
        return self.sheets[-1].size[1]

    def new_page(self, *, turned: bool = False) -> None:
        self.sheets.append(Sheet(landscape(self.size) if turned else self.size))
        self.y = self.style.margin
        first = len(self.sheets) == 1
        if self.sender is not None and (first or self.style.running == "letterhead"):
            self._letterhead(self.sender)
        elif not first and self.style.running == "short" and self.short_title:
            self.text(self.style.margin, self.short_title, size=self.style.size - 1)
            self.y += 18
        if self.sender is not None and (self.style.footer == "all" or (first and self.style.footer == "first")):
            s = self.sender
            self.text(self.style.margin, f"{s.name} · {s.street} · {s.city} · {s.tax_id}", size=7, at=self.height - 30)

    def _letterhead(self, sender: Sender) -> None:
        where = self.style.letterhead
        if where == "none":
            self.y += 10
            return
        rows = [(sender.name, 15.0, True), (f"{sender.street}, {sender.city}", 8.0, False), (sender.phone, 8.0, False)]
        if where == "band":
            rows = [(f"{sender.name}  |  {sender.city}", 13.0, True)]
        for row, size, bold in rows:
            width = stringWidth(row, self._font(bold), size)
            x = {
                "left": self.style.margin,
                "band": self.style.margin,
                "right": self.width - self.style.margin - width,
            }.get(where, (self.width - width) / 2)
            self.text(x, row, size=size, bold=bold)
            self.y += size * 1.2
        self.y += 14

    def _font(self, bold: bool) -> str:
        return _BOLD[self.style.font] if bold else self.style.font

    def text(self, x: float, text: str, *, size: float = 0.0, bold: bool = False, at: float | None = None) -> None:
        font, size = self._font(bold), size or self.style.size
        y = self.height - (self.y if at is None else at) - size

        def draw(canvas: Canvas) -> None:
            canvas.setFont(font, size)
            canvas.drawString(x, y, text)

        self.sheets[-1].draws.append(draw)

    def rule(self, x0: float, x1: float, *, at: float | None = None) -> None:
        y = self.height - (self.y if at is None else at)
        self.sheets[-1].draws.append(lambda canvas: canvas.line(x0, y, x1, y))

    def box(self, x: float, width: float, height: float) -> None:
        y = self.height - self.y - height
        self.sheets[-1].draws.append(lambda canvas: canvas.rect(x, y, width, height))

    def room(self, height: float) -> None:
        """Begin a new page if less than this is left."""
        if self.y + height > self.height - self.style.margin - 20:
            self.new_page()
            if self.on_break is not None:
                self.on_break()

    def line(self, text: str = "", *, bold: bool = False, size: float = 0.0, indent: float = 0.0) -> None:
        size = size or self.style.size
        self.room(size * 1.3)
        self.text(self.style.margin + indent, text, size=size, bold=bold)
        self.y += size * 1.35

    def space(self, height: float = 10.0) -> None:
        self.y += height

    def prose(self, text: str) -> None:
        width = self.width - 2 * self.style.margin
        row: list[str] = []
        for word in text.split():
            if stringWidth(" ".join([*row, word]), self.style.font, self.style.size) > width:
                self.line(" ".join(row))
                row = []
            row.append(word)
        self.line(" ".join(row))
        self.space(5)

    def pairs(self, rows: Sequence[tuple[str, str]], *, gap: float = 110.0, x: float | None = None) -> None:
        left = self.style.margin if x is None else x
        for label, value in rows:
            self.text(left, f"{label}:")
            self.text(left + gap, value)
            self.y += self.style.size * 1.35
        self.space(6)

    def row(self, columns: Sequence[float], cells: Sequence[str], *, bold: bool = False) -> None:
        for x, cell in zip(columns, cells, strict=True):
            self.text(self.style.margin + x * (self.width - 2 * self.style.margin), cell, bold=bold)
        self.y += self.style.size * 1.5

    def finished(self) -> list[Sheet]:
        """The pages with their numbers, which need the total."""
        style, total = self.style, len(self.sheets)
        if style.numbers is not None:
            for number, sheet in list(enumerate(self.sheets, 1))[style.first_number - 1 :]:
                self._number(
                    sheet, style.numbers.format(n=number, total=total, page=self.labels["page"], of=self.labels["of"])
                )
        return self.sheets

    def _number(self, sheet: Sheet, text: str) -> None:
        width, height = sheet.size
        place, font = self.style.number_place, self.style.font
        x = width / 2 - 12 if place == "footer-center" else width - self.style.margin - stringWidth(text, font, 8)
        y = height - 24 if place == "header-right" else 18

        def draw(canvas: Canvas) -> None:
            canvas.setFont(font, 8)
            canvas.drawString(x, y, text)

        sheet.draws.append(draw)
