"""A page in the making: what is drawn where, in the order in which people read it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from random import Random

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = A4
LEADING = 1.25
_SYLLABLES = [
    first + vowel
    for first in ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "st", "tr", "ch"]
    for vowel in "aeiou"
]
_HEBREW = "אבגדהוזחטילמנסעפצקרשת"
_HEBREW_FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
_FONTS = (("Helvetica", "Helvetica-Bold"), ("Times-Roman", "Times-Bold"))

Place = tuple[object, ...]
Rows = list[list[str]]


@dataclass(frozen=True)
class Drawn:
    """A line of the truth. Lines of one `place` may be joined: they are in one column, or a label and its value."""

    text: str
    place: Place
    x: float
    top: float
    size: float
    bold: bool = False
    stretch: float = 0.0
    hebrew: bool = False


class Words:
    """Made-up words and numbers, none of them twice in a document, so that each says which line it is of."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self._used: set[str] = set()

    def word(self) -> str:
        return self._unused(lambda: "".join(self.rng.choices(_SYLLABLES, k=self.rng.choice((2, 2, 3, 3, 4)))))

    def hebrew(self) -> str:
        return self._unused(lambda: "".join(self.rng.choices(_HEBREW, k=self.rng.randint(3, 7))))

    def name(self, count: int = 2) -> str:
        return " ".join(self.word().capitalize() for _ in range(count))

    def number(self, digits: int = 5) -> str:
        return self._unused(lambda: str(self.rng.randrange(10 ** (digits - 1), 10**digits)))

    def amount(self) -> str:
        return self._unused(lambda: f"{self.rng.randrange(10, 9999)}.{self.rng.randrange(100):02}")

    def _unused(self, make: Callable[[], str]) -> str:
        while True:
            made = make()
            if made not in self._used:
                self._used.add(made)
                return made


@dataclass
class Sheet:
    """`lines` is the truth, in reading order. `stream` says how the file orders them."""

    words: Words
    stream: str = "read"
    size: float = 10.0
    fonts: tuple[str, str] = _FONTS[0]
    lines: list[Drawn] = field(default_factory=list)
    rules: list[tuple[float, float, float, float]] = field(default_factory=list)
    shades: list[tuple[float, float, float, float]] = field(default_factory=list)
    tables: list[Rows] = field(default_factory=list)

    def line(
        self, x: float, top: float, text: str, place: Place, *, size: float | None = None, bold: bool = False
    ) -> float:
        """Add a line, and return the top of the next."""
        size = size or self.size
        self.lines.append(Drawn(text, place, x, top, size, bold))
        return top + LEADING * size

    def right(self, x1: float, top: float, text: str, place: Place, *, bold: bool = False) -> float:
        return self.line(x1 - self.width(text, bold=bold), top, text, place, bold=bold)

    def width(self, text: str, size: float | None = None, *, bold: bool = False) -> float:
        return float(stringWidth(text, self.fonts[bold], size or self.size))

    def prose(
        self, x: float, top: float, width: float, count: int, place: Place, *, size: float | None = None,
        lead: str = "", justified: bool = False,
    ) -> float:  # fmt: skip
        """A paragraph of `count` lines, and return the top of the next; `lead` begins it."""
        size = size or self.size
        for row in range(count):
            text = lead if row == 0 and lead else self.words.word()
            last = row == count - 1
            limit = width * (self.words.rng.uniform(0.3, 0.9) if last and count > 1 else 1.0)
            while True:
                longer = f"{text} {self.words.word()}"
                if self.width(longer, size) > limit:
                    break
                text = longer
            spaces = text.count(" ")
            stretch = (width - self.width(text, size)) / spaces if justified and not last and spaces else 0.0
            self.lines.append(Drawn(text, place, x, top, size, stretch=stretch))
            top += LEADING * size
        return top

    def hebrew(self, x1: float, top: float, width: float, count: int, place: Place) -> float:
        for row in range(count):
            words: list[str] = []
            limit = width * (0.6 if row == count - 1 else 1.0)
            while not words or self._hebrew_width(" ".join(words)) < limit - 4 * self.size:
                words.append(self.words.hebrew())
            text = " ".join(words)
            self.lines.append(Drawn(text, place, x1 - self._hebrew_width(text), top, self.size, hebrew=True))
            top += LEADING * self.size
        return top

    def _hebrew_width(self, text: str) -> float:
        return float(stringWidth(text, _hebrew_font(), self.size))

    def grid(
        self, x: float, top: float, widths: Sequence[float], rows: Rows, *, ruled: bool, numeric: Sequence[int] = (),
        leading: float = 1.6, header: bool = True,
    ) -> float:  # fmt: skip
        """A table; cells may have several lines. Columns in `numeric` are aligned right."""
        number = len(self.tables)
        self.tables.append([[cell.replace("\n", " ") for cell in row] for row in rows])
        edges = [x]
        for width in widths:
            edges.append(edges[-1] + width)
        first = top
        for at, row in enumerate(rows):
            if ruled:
                self.rules.append((x, top, edges[-1], top))
            for column, cell in enumerate(row):
                place = ("cell", number, at, column)
                for line, text in enumerate(cell.split("\n")):
                    y, bold = top + 3 + line * LEADING * self.size, header and at == 0
                    if column in numeric:
                        self.right(edges[column + 1] - 3, y, text, place, bold=bold)
                    else:
                        self.line(edges[column] + 3, y, text, place, bold=bold)
            top += self.size * (leading + LEADING * max(cell.count("\n") for cell in row))
        if ruled:
            self.rules.append((x, top, edges[-1], top))
            self.rules += [(edge, first, edge, top) for edge in edges]
        return top


def pdf(sheets: Sequence[Sheet]) -> bytes:
    out = BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    for sheet in sheets:
        for x0, y0, x1, y1 in sheet.shades:
            canvas.setFillGray(0.92)
            canvas.rect(x0, HEIGHT - y1, x1 - x0, y1 - y0, stroke=0, fill=1)
            canvas.setFillGray(0.0)
        for x0, y0, x1, y1 in sheet.rules:
            canvas.setLineWidth(0.6)
            canvas.line(x0, HEIGHT - y0, x1, HEIGHT - y1)
        for drawn in _streamed(sheet):
            font = _hebrew_font() if drawn.hebrew else sheet.fonts[drawn.bold]
            canvas.setFont(font, drawn.size)
            # Files hold right-to-left text as it is seen from the left.
            text = drawn.text[::-1] if drawn.hebrew else drawn.text
            canvas.drawString(drawn.x, HEIGHT - drawn.top - 0.8 * drawn.size, text, wordSpace=drawn.stretch or None)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _streamed(sheet: Sheet) -> list[Drawn]:
    match sheet.stream:
        case "rows":
            return sorted(sheet.lines, key=lambda line: (round(line.top), line.x))
        case "notes first":
            notes = [line for line in sheet.lines if line.place[0] in ("footnote", "footer")]
            return notes + [line for line in sheet.lines if line not in notes]
        case "blocks":
            places = list(dict.fromkeys(line.place for line in sheet.lines))
            sheet.words.rng.shuffle(places)
            return [line for place in places for line in sheet.lines if line.place == place]
        case _:
            return sheet.lines


def _hebrew_font() -> str:
    registerFont(TTFont("Hebrew", _HEBREW_FONT))
    return "Hebrew"


def new_sheet(rng: Random, words: Words, stream: str) -> Sheet:
    return Sheet(words, stream, rng.choice((9.0, 10.0, 11.0)), rng.choice(_FONTS))
