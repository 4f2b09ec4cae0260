"""Pages drawn from their lines and tables."""

import math

import pytest
from PIL import Image, ImageChops, ImageDraw

from docsieve.domain.pages.page import Box, Cell, Line, Page, Table, Word
from docsieve.parsers.flow import typefaces
from docsieve.parsers.flow.blocks import Heading, NewPage, Paragraph
from docsieve.parsers.flow.canvas import A4, MAX_PIXELS, MAX_SIDE, draw_page, image_size
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import ReadOptions

WHITE = (255, 255, 255)


def _page(*words: Word, **more: object) -> Page:
    lines = [Line(word.text, word.box, [word]) for word in words]
    return Page(1, *A4, lines, **more)  # type: ignore[arg-type]


def _inked(image: Image.Image) -> Box | None:
    return ImageChops.invert(image.convert("L")).point(lambda value: 255 if value > 16 else 0).getbbox()


def _without(image: Image.Image, *boxes: Box) -> Image.Image:
    """The image with these boxes, in points, painted over."""
    scale = image.width / A4[0]
    draw = ImageDraw.Draw(image)
    for x0, y0, x1, y1 in boxes:
        draw.rectangle((x0 * scale - 1, y0 * scale - 1, x1 * scale + 1, y1 * scale + 1), fill=WHITE)
    return image


@pytest.mark.parametrize("width", [160, 960, 2560])
@pytest.mark.parametrize(
    "text", ["word", "WWWWWWWWWWWWWWWWWWWWWWWW", "gjpqy|ÄÅ", "Ünïcode", "Привет", "שלום", "مرحبا", "नमस्ते", "☑", "中文"]
)
def test_every_word_is_drawn_and_stays_inside_its_box(text: str, width: int) -> None:
    boxes: list[Box] = [(50, 50, 110, 64), (50, 100, 300, 160), (400, 300, 430, 306)]
    image = draw_page(_page(*(Word(text, box) for box in boxes)), width)
    assert image.size == image_size(_page(), width)
    for box in boxes:
        others = [each for each in boxes if each != box]
        assert _inked(_without(image.copy(), *others)) is not None, box
    assert _inked(_without(image, *boxes)) is None


@pytest.mark.parametrize("text", ["äöüß", "łżőůğı", "Привет", "Ελλάδα", "שלום", "مرحبا", "नमस्ते", "ไทย", "☑☐", "€→≤½"])
def test_most_writing_systems_have_their_letters(text: str) -> None:
    for character in text:
        assert typefaces._knows(typefaces._face_of(character), character), character


def test_the_words_of_a_line_share_one_size_unless_one_of_them_is_far_too_long() -> None:
    words = [Word("even", (50, 50, 100, 70)), Word("evenly", (110, 50, 150, 70)), Word("x" * 90, (160, 50, 200, 70))]
    line = Line("even evenly", (50, 50, 200, 70), words)
    image = draw_page(Page(1, *A4, [line]), 1920)
    heights = []
    for word in words:
        box = _inked(_without(image.copy(), *(other.box for other in words if other is not word)))
        assert box is not None
        heights.append(box[3] - box[1])
    evn, evenly, tiny = heights
    assert tiny * 4 < evn < evenly  # the y of the second hangs lower, nothing else differs
    assert evenly < evn * 2


def test_cells_have_borders_and_headers_a_ground() -> None:
    cells = [Cell(0, 0, "", (100, 100, 200, 150), header=True), Cell(1, 0, "", (100, 150, 200, 200))]
    image = draw_page(_page(tables=[Table((100, 100, 200, 200), 2, 1, cells)]), 1280)
    scale = image.width / A4[0]

    def at(x: float, y: float) -> tuple[int, ...]:
        pixel = image.getpixel((round(x * scale), round(y * scale)))
        assert isinstance(pixel, tuple)
        return pixel

    assert at(150, 175) == WHITE
    assert at(150, 125) not in (WHITE, at(100, 175))
    assert at(100, 175) != WHITE
    assert at(50, 50) == WHITE


def test_a_line_without_words_is_drawn_whole() -> None:
    box: Box = (50, 50, 300, 64)
    image = draw_page(Page(1, *A4, [Line("no separate words", box)]), 960)
    assert _inked(image) is not None
    assert _inked(_without(image, box)) is None


@pytest.mark.parametrize("size", [(0.0, 0.0), A4, (float("nan"), 842.0)])
def test_a_page_that_could_not_be_read_says_so(size: tuple[float, float]) -> None:
    image = draw_page(Page(3, *size, error="The page is damaged and cannot be read."), 640)
    assert image.size == (640, 906)
    assert _inked(image) is not None


def test_an_empty_page_is_white() -> None:
    assert _inked(draw_page(_page(), 640)) is None


@pytest.mark.parametrize("size", [(10.0, 14_400.0), (14_400.0, 10.0), (1e-3, 9e5), (9e5, 9e5)])
def test_no_page_makes_an_image_larger_than_allowed(size: tuple[float, float]) -> None:
    width, height = image_size(Page(1, *size), 4000)
    assert 1 <= width <= 4000
    assert 1 <= height <= MAX_SIDE
    assert width * height <= MAX_PIXELS * 1.01


def test_boxes_outside_of_the_page_and_words_without_end_do_no_harm() -> None:
    words = [
        Word("outside", (-500, -500, 9000, -400)),
        Word("turned about", (300, 300, 200, 200)),
        Word("nothing", (100, 100, 100, 100)),
        Word("", (10, 10, 20, 20)),
        Word("x" * 5_000_000, (50, 400, 500, 412)),
    ]
    assert draw_page(_page(*words), 960).size == image_size(_page(), 960)


@pytest.mark.parametrize("width", [640, 1100, 2560])
@pytest.mark.parametrize("slide", [None, (960.0, 540.0)])
def test_words_that_were_laid_out_fill_their_boxes_so_that_gaps_are_even(
    width: int, slide: tuple[float, float] | None
) -> None:
    text = "This illimitable WWW and MMM of lilting Microsoft words, (mixed) with ÄÖÜ and 1234567 until it wraps over"
    [page] = reading_of([NewPage(slide=slide), Heading("A title of it"), Paragraph(text)], ReadOptions()).pages
    image = draw_page(page, width)
    scale = image.width / page.width
    column = scale * min((word.box[2] - word.box[0]) / len(word.text) for line in page.lines for word in line.words)

    for word in (word for line in page.lines for word in line.words):
        x0, y0, x1, y1 = (edge * scale for edge in word.box)
        ink = _inked(image.crop((int(x0), int(y0), math.ceil(x1), math.ceil(y1))))
        assert ink is not None, word.text
        # The ink of a letter, at most half a column away from the edge of its column.
        assert ink[0] <= column / 2 + 1, word.text
        assert ink[2] >= x1 - x0 - column / 2 - 1, word.text


def test_laid_out_text_is_drawn_inside_its_boxes_in_any_script() -> None:
    texts = [
        "plain words",
        "Привет мир",
        "漢字 と かな",
        "שלום עולם",
        "مرحبا بالعالم",
        "नमस्ते दुनिया",
        "e\u0301te\u0301",
        "☑ →",
    ]
    [page] = reading_of([Heading("Überschrift"), *map(Paragraph, texts)], ReadOptions()).pages
    image = draw_page(page, 1100)

    boxes = [word.box for line in page.lines for word in line.words]
    assert _inked(image) is not None
    assert _inked(_without(image, *boxes)) is None
