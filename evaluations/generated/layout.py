"""Draws blocks on pages, each in one of the ways that real documents print it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.packet_parts.paper import Sheet
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.pdfbase.pdfmetrics import getAscentDescent, stringWidth
from reportlab.pdfgen.canvas import Canvas

from evaluations.generated.compose import Block, Cells, Columns, Pairs, Stamp, Table, Text
from evaluations.generated.facts import WORDS
from evaluations.generated.marks import parts, plain

_FONTS = (("Helvetica", "Helvetica-Bold"), ("Times-Roman", "Times-Bold"), ("Courier", "Courier-Bold"))
_PAD, _GUTTER = 4.0, 18.0
_ROLL = (230.0, 560.0)


@dataclass(frozen=True, slots=True)
class Look:
    """`rules` of tables is grid, lines or none; `cell` is the least height of a box."""

    font: str
    bold: str
    size: float
    margin: float
    paper: tuple[float, float]
    rules: str
    leading: float
    cell: float
    number: str
    footer: str = ""

    @classmethod
    def drawn(cls, rng: Random, language: str, layout: Mapping[str, Any], *, footer: str) -> "Look":
        small, is_roll = layout.get("small", False), layout.get("roll", False)
        font, bold = rng.choices(_FONTS, (5, 4, 1))[0]
        sizes = (8.0, 8.5, 9.0) if small else (9.0, 9.5, 10.0, 10.5, 11.0)
        return cls(
            font=font,
            bold=bold,
            size=rng.choice(sizes),
            margin=14.0 if is_roll else rng.choice((45.0, 54.0, 64.0)),
            paper=_ROLL if is_roll else rng.choice((A4, LETTER)) if language == "en" else A4,
            rules=rng.choice(("grid", "lines", "none")),
            leading=1.3 if small else rng.choice((1.3, 1.35, 1.5, 1.8)),
            cell=rng.choice((20.0, 20.0, 38.0)),
            number=rng.choice(["", *WORDS[language]["page"]]) if layout.get("numbered", True) else "",
            footer=footer,
        )


@dataclass(frozen=True, slots=True)
class Frame:
    x: float
    width: float


Line = tuple[int, tuple[float, float, float, float]]
"""The page, counting from 1, and the box of a piece of text in points from the top."""


class Pages:
    """`y` is the distance of the next line from the top of page `at`.

    `places` has, by the number of its mark, each place where a fact was drawn, with its lines.
    """

    def __init__(self, look: Look) -> None:
        self.look = look
        self.sheets = [Sheet(look.paper)]
        self.at = 0
        self.y = look.margin
        self.on_break: Callable[[], None] | None = None
        self.places: dict[int, list[list[Line]]] = {}
        self._open: list[Line] | None = None

    @property
    def frame(self) -> Frame:
        return Frame(self.look.margin, self.look.paper[0] - 2 * self.look.margin)

    def draw(self, command: Callable[[Canvas], None]) -> None:
        self.sheets[self.at].draws.append(command)

    def room(self, height: float) -> None:
        """Go to the next page if less than this is left."""
        if self.y + height <= self.look.paper[1] - self.look.margin - 14:
            return
        self.at += 1
        if self.at == len(self.sheets):
            self.sheets.append(Sheet(self.look.paper))
        self.y = self.look.margin
        if self.on_break is not None:
            self.on_break()

    def words(self, x: float, text: str, *, size: float = 0.0, bold: bool = False, y: float | None = None) -> None:
        font, size = self.look.bold if bold else self.look.font, size or self.look.size
        top = self.y if y is None else y
        baseline = self.look.paper[1] - top - size
        self._note(x, top + size, text, font, size)

        def command(canvas: Canvas) -> None:
            canvas.setFont(font, size)
            canvas.drawString(x, baseline, plain(text))

        self.draw(command)

    def _note(self, x: float, baseline: float, text: str, font: str, size: float) -> None:
        """Keep where the marked pieces of a line are; a fact may go on in the next line."""
        ascent, descent = getAscentDescent(font, size)
        for piece, mark in parts(text):
            if mark is not None:
                self._open = None if mark < 0 else []
                if self._open is not None:
                    self.places.setdefault(mark, []).append(self._open)
                continue
            width = float(stringWidth(piece, font, size))
            if self._open is not None:
                self._open.append((self.at + 1, (x, baseline - ascent, x + width, baseline - descent)))
            x += width

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        height = self.look.paper[1]
        self.draw(lambda canvas: canvas.line(x0, height - y0, x1, height - y1))

    def box(self, x: float, y: float, width: float, height: float) -> None:
        bottom = self.look.paper[1] - y - height
        self.draw(lambda canvas: canvas.rect(x, bottom, width, height))

    def wrapped(self, text: str, width: float, *, size: float = 0.0, bold: bool = False) -> list[str]:
        font, size = self.look.bold if bold else self.look.font, size or self.look.size
        lines = []
        for paragraph in text.split("\n"):
            row: list[str] = []
            for word in paragraph.split(" "):
                if row and stringWidth(plain(" ".join([*row, word])), font, size) > width:
                    lines.append(" ".join(row))
                    row = []
                row.append(word)
            lines.append(" ".join(row))
        return lines

    def text_width(self, text: str, *, size: float = 0.0, bold: bool = False) -> float:
        return float(stringWidth(plain(text), self.look.bold if bold else self.look.font, size or self.look.size))


def laid_out(look: Look, blocks: Sequence[Block]) -> Pages:
    pages = Pages(look)
    _draw(pages, blocks, pages.frame)
    for number, sheet in enumerate(pages.sheets, 1):
        pages.at = number - 1
        said = look.number.format(n=number, total=len(pages.sheets))
        pages.words(look.paper[0] - look.margin - pages.text_width(said, size=8), said, size=8, y=look.paper[1] - 34)
        for at, line in enumerate(pages.wrapped(look.footer, pages.frame.width - 80, size=6.5)):
            pages.words(look.margin, line, size=6.5, y=look.paper[1] - 36 + 8 * at)
        assert sheet.draws
    return pages


def _draw(pages: Pages, blocks: Sequence[Block], frame: Frame) -> None:
    for block in blocks:
        match block:
            case Text():
                _text(pages, block, frame)
            case Pairs():
                _pairs(pages, block, frame)
            case Cells():
                _cells(pages, block, frame)
            case Table():
                _table(pages, block, frame)
            case Columns():
                _columns(pages, block, frame)
            case Stamp():
                _stamp(pages, block)


def _text(pages: Pages, block: Text, frame: Frame) -> None:
    size = pages.look.size + block.size
    if block.text:
        lines = pages.wrapped(block.text, frame.width - block.indent, size=size, bold=block.bold)
        # A heading stays with the text below it.
        pages.room(size * pages.look.leading * (3 if block.bold else 1))
        for line in lines:
            pages.room(size * pages.look.leading)
            spare = frame.width - block.indent - pages.text_width(line, size=size, bold=block.bold)
            shift = {"right": spare, "center": spare / 2}.get(block.align, 0.0)
            pages.words(frame.x + block.indent + shift, line, size=size, bold=block.bold)
            pages.y += size * pages.look.leading
    pages.y += block.space


def _pairs(pages: Pages, block: Pairs, frame: Frame) -> None:
    if block.style == "boxed":
        rows = [[(*pair, 1.0) for pair in block.pairs[at : at + 2]] for at in range(0, len(block.pairs), 2)]
        _cells(pages, Cells(rows), frame)
        return
    for label, value in block.pairs:
        {"colon": _colon, "aligned": _aligned, "item": _item, "stacked": _stacked, "sums": _sum}[block.style](
            pages, label, value, frame
        )
    pages.y += 8


def _colon(pages: Pages, label: str, value: str, frame: Frame) -> None:
    _text(pages, Text(f"{label}: {value}", space=2), frame)


def _aligned(pages: Pages, label: str, value: str, frame: Frame) -> None:
    left = pages.wrapped(label, 0.36 * frame.width)
    right = pages.wrapped(value, 0.6 * frame.width)
    step = pages.look.size * pages.look.leading
    pages.room(step * max(len(left), len(right)))
    for x, lines in ((frame.x, left), (frame.x + 0.4 * frame.width, right)):
        for at, line in enumerate(lines):
            pages.words(x, line, y=pages.y + at * step)
    pages.y += step * max(len(left), len(right)) + 2


def _stacked(pages: Pages, label: str, value: str, frame: Frame) -> None:
    """A small label above its value, as on a card."""
    pages.room(pages.look.size * 3)
    _text(pages, Text(label, size=-3.0, space=0), frame)
    _text(pages, Text(value, space=2), frame)


def _sum(pages: Pages, label: str, value: str, frame: Frame) -> None:
    """A label at the left margin and its amount at the right one."""
    pages.room(pages.look.size * pages.look.leading)
    pages.words(frame.x, label)
    pages.words(frame.x + frame.width - pages.text_width(value) - _PAD, value)
    pages.y += pages.look.size * pages.look.leading


def _item(pages: Pages, label: str, value: str, frame: Frame) -> None:
    """A numbered entry of a form: the value is typed above a rule, below its label."""
    lines = pages.wrapped(value, frame.width - 24)
    step = pages.look.size * pages.look.leading
    pages.room(step * (len(lines) + 2))
    _text(pages, Text(label, space=3), frame)
    for line in lines:
        pages.words(frame.x + 20, line)
        pages.y += step
        pages.line(frame.x + 16, pages.y, frame.x + frame.width, pages.y)
        pages.y += 3
    pages.y += 6


def _cells(pages: Pages, block: Cells, frame: Frame) -> None:
    step, small = pages.look.size * 1.3, 6.5
    for row in block.rows:
        total = sum(share for *_, share in row)
        widths = [frame.width * share / total for *_, share in row]
        labels = [
            pages.wrapped(label, width - 2 * _PAD, size=small) for (label, *_), width in zip(row, widths, strict=True)
        ]
        values = [pages.wrapped(value, width - 2 * _PAD) for (_, value, _), width in zip(row, widths, strict=True)]
        tops = [len(lines) * 8.0 + 3 for lines in labels]
        height = max(top + len(lines) * step for top, lines in zip(tops, values, strict=True)) + _PAD
        height = max(height, pages.look.cell)
        pages.room(height)
        x = frame.x
        for width, label, top, value in zip(widths, labels, tops, values, strict=True):
            pages.box(x, pages.y, width, height)
            for at, line in enumerate(label):
                pages.words(x + _PAD, line, size=small, y=pages.y + 2 + at * 8)
            for at, line in enumerate(value):
                pages.words(x + _PAD, line, y=pages.y + top + at * step)
            x += width
        pages.y += height
    pages.y += 8


def _table(pages: Pages, block: Table, frame: Frame) -> None:
    total = sum(block.shares)
    widths = [frame.width * share / total for share in block.shares]

    def row(cells: Sequence[str], *, bold: bool = False) -> None:
        lines = [pages.wrapped(cell, width - 2 * _PAD, bold=bold) for cell, width in zip(cells, widths, strict=True)]
        step = pages.look.size * 1.25
        height = step * max(len(each) for each in lines) + _PAD
        if not bold:
            pages.room(height)
        x = frame.x
        for width, cell, right in zip(widths, lines, block.right, strict=True):
            if pages.look.rules == "grid":
                pages.box(x, pages.y, width, height)
            for at, line in enumerate(cell):
                shift = width - _PAD - pages.text_width(line, bold=bold) if right else _PAD
                pages.words(x + shift, line, bold=bold, y=pages.y + 1 + at * step)
            x += width
        pages.y += height
        if pages.look.rules == "lines" or (bold and pages.look.rules == "none"):
            pages.line(frame.x, pages.y, frame.x + frame.width, pages.y)

    pages.room(pages.look.size * 6)
    row(block.header, bold=True)
    pages.on_break = lambda: row(block.header, bold=True)
    for cells in block.rows:
        row(cells)
    pages.on_break = None
    pages.y += 10


def _columns(pages: Pages, block: Columns, frame: Frame) -> None:
    """Side by side; what follows begins below the longest."""
    pages.room(pages.look.size * 8)
    start, ends, x = (pages.at, pages.y), [], frame.x
    width = frame.width - _GUTTER * (len(block.columns) - 1)
    for column, share in zip(block.columns, block.shares, strict=True):
        pages.at, pages.y = start
        own = Frame(x, width * share / sum(block.shares))
        _draw(pages, column, own)
        ends.append((pages.at, pages.y))
        x += own.width + _GUTTER
    pages.at, pages.y = max(ends)


def _stamp(pages: Pages, block: Stamp) -> None:
    """Across the upper right corner, a little turned, as by hand."""
    lines = block.text.split("\n")
    width = max(pages.text_width(line, size=9, bold=True) for line in lines) + 12
    x, top = pages.look.paper[0] - width - 30, 24.0
    bottom = pages.look.paper[1] - top - 12 * len(lines) - 6
    bold = pages.look.bold

    def command(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.translate(x, bottom)
        canvas.rotate(1.5)
        canvas.rect(0, 0, width, 12 * len(lines) + 6)
        canvas.setFont(bold, 9)
        for at, line in enumerate(lines):
            canvas.drawString(6, 12 * (len(lines) - at) - 6, line)
        canvas.restoreState()

    pages.draw(command)
    pages.y = max(pages.y, top + 12 * len(lines) + 20)
