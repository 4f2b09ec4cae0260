from pathlib import Path

import pytest
from PIL import ImageOps
from reportlab.pdfgen.canvas import Canvas

from docsieve.domain.pages.page import Page
from docsieve.errors import TooManyPixels
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions, Renderer
from tests.parsers.pdf.samples import write_by_hand


def read(path: Path) -> list[Page]:
    return list(PDF.read(path, ReadOptions()).pages)


def test_the_parser_shows_pages() -> None:
    assert isinstance(PDF, Renderer)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_the_image_is_as_wide_as_asked_and_upright_as_the_boxes_are(tmp_path: Path, turn: int) -> None:
    path = tmp_path / "page.pdf"
    canvas = Canvas(str(path), pagesize=(595, 842))
    canvas.translate(300, 421)
    canvas.rotate(turn)
    for row in range(3):
        canvas.drawString(-100, 20 * row, "A few words to see on screen")
    canvas.save()
    [page] = read(path)

    image = PDF.render(path, page, 1000, ReadOptions())

    assert image.width == 1000
    seen = ImageOps.invert(image.convert("L")).getbbox()
    assert seen is not None
    scale = 1000 / page.width
    boxes = [line.box for line in page.lines]
    expected = min(box[0] for box in boxes), min(box[1] for box in boxes), max(box[2] for box in boxes)
    assert [side / scale for side in seen[:3]] == pytest.approx(expected, abs=1.5)


def test_form_values_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "form.pdf"
    canvas = Canvas(str(path))
    canvas.drawString(72, 700, "Name")
    canvas.acroForm.textfield(name="name", value="Grace Hopper", x=150, y=690, width=200, borderWidth=0)
    canvas.save()
    [page] = read(path)

    image = PDF.render(path, page, 600, ReadOptions())

    box = next(word.box for line in page.lines for word in line.words if word.text == "Grace")
    x0, y0, x1, y1 = (int(side * 600 / page.width) for side in box)
    assert any(image.convert("L").crop((x0, y0, x1, y1)).histogram()[:100])


def test_a_page_too_long_for_its_width_is_refused(tmp_path: Path) -> None:
    path = write_by_hand(tmp_path / "ribbon.pdf", "", page="/MediaBox [0 0 2 14000]")
    [page] = read(path)

    with pytest.raises(TooManyPixels):
        PDF.render(path, page, 1000, ReadOptions())
