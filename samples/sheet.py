"""A page of A4 to write on from the top left, in points."""

import io
from collections.abc import Sequence

from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from samples import typefaces
from samples.typefaces import SANS

WIDTH, HEIGHT = A4
INK = "#1f2933"
FAINT = "#66727f"
RULE = "#d5dbe1"


class Sheet:
    def __init__(self, title: str, author: str) -> None:
        typefaces.register()
        self._file = io.BytesIO()
        self.canvas = Canvas(self._file, pagesize=A4, invariant=1, pageCompression=1)
        self.canvas.setTitle(title)
        self.canvas.setAuthor(author)

    def text(
        self, x: float, y: float, said: str, *, font: str = SANS, size: float = 9.5, ink: str = INK, to: str = "left"
    ) -> None:
        self.canvas.setFont(font, size)
        self.canvas.setFillColor(ink)
        write = {"left": self.canvas.drawString, "right": self.canvas.drawRightString}[to]
        write(x, HEIGHT - y, said)

    def lines(self, x: float, y: float, said: Sequence[str], *, leading: float = 13.5, **style: str | float) -> float:
        """One below the other; returns where the next would stand."""
        for line in said:
            self.text(x, y, line, **style)  # type: ignore[arg-type]
            y += leading
        return y

    def paragraph(self, x: float, y: float, width: float, said: str, *, font: str = SANS, size: float = 9.5) -> float:
        return self.lines(x, y, simpleSplit(said, font, size, width), font=font, size=size)

    def rule(self, x: float, y: float, to_x: float, *, ink: str = RULE, thickness: float = 0.7) -> None:
        self.canvas.setStrokeColor(ink)
        self.canvas.setLineWidth(thickness)
        self.canvas.line(x, HEIGHT - y, to_x, HEIGHT - y)

    def block(self, x: float, y: float, width: float, height: float, *, ink: str) -> None:
        self.canvas.setFillColor(ink)
        self.canvas.rect(x, HEIGHT - y - height, width, height, stroke=0, fill=1)

    def new_page(self) -> None:
        self.canvas.showPage()

    def finished(self) -> bytes:
        self.canvas.save()
        return self._file.getvalue()
