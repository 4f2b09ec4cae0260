"""Small packets: each document is a list of pages, each page a list of lines."""

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

Lines = Sequence[str]

BLANK: Lines = ()
SEPARATOR: Lines = ("SEPARATOR SHEET",)


def invoice(number: str, sender: str, *, pages: int = 1) -> list[Lines]:
    first = [
        sender,
        "12 Harbor Street",
        "Boston MA 02110",
        "",
        "INVOICE",
        f"Invoice No: {number}",
        "Date: 03/04/2024",
        "Total: 120.00",
    ]
    rest = [[f"Invoice No: {number}", "More items", "Lamp 4 10.00"] for _ in range(pages - 1)]
    return [[*page, f"Page {at} of {pages}"] for at, page in enumerate([first, *rest], 1)]


def letter(sender: str, *, pages: int = 1) -> list[Lines]:
    first = [
        sender,
        "7 Mill Lane",
        "Leeds LS1 4AP",
        "",
        "2 May 2023",
        "Dear Sir or Madam,",
        "we write about the roof of the house.",
    ]
    rest = [["and further about the garden of the same house."] for _ in range(pages - 2)]
    last = [["we hope this settles the matter.", "Yours sincerely,", "Clara Keller"]] if pages > 1 else []
    return [[*page, f"Page {at} of {pages}"] for at, page in enumerate([first, *rest, *last], 1)]


def pdf(pages: Sequence[Lines]) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, invariant=True)
    for lines in pages:
        for at, line in enumerate(lines):
            footer = line.startswith("Page ")
            canvas.drawString(420 if footer else 60, 30 if footer else 780 - 22 * at, line)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def tiff(pages: Sequence[Lines]) -> bytes:
    images = []
    font = ImageFont.load_default(34)
    for lines in pages:
        image = Image.new("L", (1240, 1754), 255)
        draw = ImageDraw.Draw(image)
        for at, line in enumerate(lines):
            footer = line.startswith("Page ")
            draw.text((880 if footer else 120, 1680 if footer else 110 + 60 * at), line, fill=0, font=font)
        images.append(image)
    file = io.BytesIO()
    images[0].save(file, "TIFF", save_all=True, append_images=images[1:], dpi=(150, 150))
    return file.getvalue()
