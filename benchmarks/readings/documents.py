"""Documents to read: PDFs with a text layer and a table, and scans of such pages."""

import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen.canvas import Canvas

LINES_A_PAGE = 46
_TEXT = (
    "invoice total amount due date number customer order item quantity price net gross tax payment bank account "
    "reference delivery address street city country contract party agreement term notice period liability the of and "
    "to in is for that with as by on be are this which shall any or may not under between"
)
_WORDS = _TEXT.split()


def write_pdf(path: Path, pages: int, seed: int) -> Path:
    chosen = random.Random(seed)
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    for number in range(1, pages + 1):
        canvas.setFont("Helvetica", 10)
        text = canvas.beginText(56, 790)
        text.textLine(f"Document {seed}, page {number}")
        for _ in range(LINES_A_PAGE - 8):
            text.textLine(_sentence(chosen, 11))
        canvas.drawText(text)
        _table(canvas, chosen)
        canvas.showPage()
    canvas.save()
    return path


def write_scan(path: Path, seed: int) -> Path:
    """An A4 page at 150 dpi with thirty lines, as a scanner would give it."""
    chosen = random.Random(seed)
    image = Image.new("L", (1240, 1754), 250)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(24)
    for row in range(30):
        draw.text((110, 120 + row * 50), _sentence(chosen, 9), fill=20, font=font)
    image.save(path, dpi=(150, 150))
    return path


def _sentence(chosen: random.Random, words: int) -> str:
    return " ".join(chosen.choice(_WORDS) for _ in range(words)).capitalize() + f" {chosen.randint(1, 9999)}."


def _table(canvas: Canvas, chosen: random.Random) -> None:
    columns, rows = (56, 256, 356, 456, 539), [190 - 20 * row for row in range(7)]
    canvas.grid(columns, rows)
    for top in rows[:-1]:
        for left in columns[:-1]:
            canvas.drawString(left + 4, top - 14, f"{chosen.choice(_WORDS)} {chosen.randint(1, 999)}")
