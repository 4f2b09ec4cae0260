"""PDFs made for tests: by reportlab where it can, by hand where it cannot."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas


def write_pages(path: Path, pages: list[list[str]], *, password: str | None = None) -> Path:
    canvas = Canvas(str(path), pagesize=(595, 842), encrypt=password, invariant=1)
    for lines in pages:
        text = canvas.beginText(72, 770)
        for line in lines:
            text.textLine(line)
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return path


def write_by_hand(path: Path, content: str, *, page: str = "", to_unicode: str = "", kids: str = "[3 0 R]") -> Path:
    """One page of Helvetica at any attributes; `to_unicode` maps its codes, e.g. `<41> <D835DC4E>`."""
    count = kids.count(" R")
    mapping = (
        "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{len(to_unicode.splitlines())} beginbfchar\n{to_unicode}\nendbfchar endcmap end"
    )
    unicode = "/ToUnicode 6 0 R" if to_unicode else ""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {count} /Kids {kids} >>",
        "<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F 4 0 R >> >> "
        f"{page or '/MediaBox [0 0 595 842]'} >>",
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica {unicode} >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        f"<< /Length {len(mapping)} >>\nstream\n{mapping}\nendstream",
    ]
    data, offsets = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    start = len(data)
    data += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Root 1 0 R /Size {size} >>\n".encode()
    path.write_bytes(data + f"startxref\n{start}\n%%EOF\n".encode())
    return path


def write_scan(path: Path, lines: list[str], *, turn: int = 0, stamp: str = "") -> Path:
    """One page that is a picture of text, lying `turn` degrees counterclockwise; `stamp` is written as text upon it."""
    image = Image.new("RGB", (1240, 900), "white")
    pencil = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        pencil.text((80, 80 + 90 * row), line, fill="black", font=ImageFont.load_default(48))
    image = image.rotate(turn, expand=True)
    size = image.width * 0.24, image.height * 0.24
    canvas = Canvas(str(path), pagesize=size, invariant=1)
    canvas.drawImage(ImageReader(image), 0, 0, *size)
    if stamp:
        canvas.drawString(10, 10, stamp)
    canvas.save()
    return path


def write_grid(canvas: Canvas, xs: list[float], ys: list[float]) -> None:
    """Rule a grid; `ys` count from the bottom as PDF does."""
    for x in xs:
        canvas.line(x, ys[0], x, ys[-1])
    for y in ys:
        canvas.line(xs[0], y, xs[-1], y)
