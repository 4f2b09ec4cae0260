"""Images of codes for tests, and a page of text with codes."""

from pathlib import Path

import numpy as np
import zxingcpp
from PIL import Image
from reportlab.graphics import renderPDF
from reportlab.graphics.barcode.code128 import Code128
from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

GIRO = "BCD\n002\n1\nSCT\nCOBADEFF\nACME GmbH\nDE89370400440532013000\nEUR12.50"


def code_image(text: str, kind: str, *, scale: int = 6) -> Image.Image:
    code = zxingcpp.create_barcode(text, getattr(zxingcpp.BarcodeFormat, kind))
    return Image.fromarray(np.array(code.to_image(scale=scale, add_quiet_zones=True))).convert("L")


def write_page_with_codes(path: Path, *, rotate: int = 0) -> Path:
    """Ordinary text, a QR code and a barcode that are drawn, and a Data Matrix that is an image."""
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    for row in range(12):
        canvas.drawString(60, 800 - row * 14, f"Row {row} of an ordinary letter with words and a number, {row * 37}")
    drawing = Drawing(100, 100)
    drawing.add(QrCodeWidget(GIRO, barWidth=100, barHeight=100, barBorder=0))
    renderPDF.draw(drawing, canvas, 60, 400)
    Code128("INV-2026-0042", barHeight=30, barWidth=0.9).drawOn(canvas, 250, 430)
    canvas.drawImage(ImageReader(code_image("DM-77", "DataMatrix")), 60, 250, 60, 60)
    canvas.setPageRotation(rotate)
    canvas.save()
    return path
