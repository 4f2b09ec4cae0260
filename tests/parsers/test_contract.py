"""What every registered parser must do, ours and installed ones alike: one line a parser in SAMPLES."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from docsieve.domain.pages.page import Box, Page
from docsieve.domain.text import clean
from docsieve.parsers.port import HEAD_BYTES, Parser, ReadOptions
from docsieve.parsers.registry import detect, parser_for, parsers
from tests.native import pages_of
from tests.parsers import samples as flow_samples
from tests.parsers.mail import samples as mail_samples
from tests.parsers.office import samples as office_samples
from tests.parsers.pdf.samples import write_pages
from tests.parsers.signed.test_content import sample as signed_sample


def _pdf(path: Path) -> Path:
    return write_pages(path, [["Invoice 4711", "Total 12.50 EUR"], [], ["The end."]])


def _text(path: Path) -> Path:
    path.write_text("Grüße aus Köln\n\n" + "word " * 500 + "\fLast page\n")
    return path


def _poison(path: Path) -> Path:
    path.write_text("%POISON slow 2\n")
    return path


def _rtf(path: Path) -> Path:
    path.write_bytes(rb"{\rtf1\ansi Gr\'fc\'dfe aus K\'f6ln\par Zweiter Absatz\page N\'e4chste Seite\par}")
    return path


def _image(path: Path) -> Path:
    image = Image.new("L", (900, 300), 255)
    ImageDraw.Draw(image).text((40, 100), "Invoice 4711 of March", fill=0, font=ImageFont.load_default(48))
    image.save(path, "PNG")
    return path


SAMPLES: dict[str, Callable[[Path], Path]] = {
    "pdf": _pdf,
    "text": _text,
    "rtf": _rtf,
    "image": _image,
    "signed": signed_sample,
    "poison": _poison,
    **flow_samples.SAMPLES,
    **mail_samples.SAMPLES,
    **office_samples.SAMPLES,
}


@pytest.fixture(params=parsers(), ids=lambda parser: parser.name)
def parser(request: pytest.FixtureRequest) -> Parser:
    found: Parser = request.param
    return found


@pytest.fixture
def sample(parser: Parser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # a parser works in a separate folder
    return SAMPLES[parser.name](tmp_path / "sample")


def read(parser: Parser, source: Path) -> list[Page]:
    return pages_of(parser, source) if parser.uses_ocr else list(parser.read(source, ReadOptions()).pages)


def test_it_detects_its_documents_and_is_looked_up_by_their_type(parser: Parser, sample: Path) -> None:
    media_type = detect(sample.read_bytes()[:HEAD_BYTES])

    assert media_type in parser.media_types
    assert parser_for(media_type) is parser


def test_it_has_a_name_and_a_version(parser: Parser) -> None:
    assert parser.name
    assert parser.version


@pytest.mark.parametrize("head", [b"", b"\x00", b"\xff\xfe", b"%PDF", b"\xef\xbb\xbf", bytes(range(256)) * 32])
def test_sniffing_never_raises(parser: Parser, head: bytes) -> None:
    assert parser.sniff(head) in {None, *parser.media_types}


def test_pages_count_from_one_to_the_number_it_states(parser: Parser, sample: Path) -> None:
    count = parser.read(sample, ReadOptions()).page_count

    assert [page.number for page in read(parser, sample)] == list(range(1, count + 1))


def test_boxes_lie_inside_their_page(parser: Parser, sample: Path) -> None:
    for page in read(parser, sample):
        for line in page.lines:
            for box in (line.box, *(word.box for word in line.words)):
                assert _inside(box, page)


def _inside(box: Box, page: Page) -> bool:
    return 0 <= box[0] < box[2] <= page.width and 0 <= box[1] < box[3] <= page.height


def test_the_words_of_a_line_make_up_its_text_and_its_box(parser: Parser, sample: Path) -> None:
    for page in read(parser, sample):
        for line in page.lines:
            assert line.text == " ".join(word.text for word in line.words)
            assert line.box == (
                min(word.box[0] for word in line.words),
                min(word.box[1] for word in line.words),
                max(word.box[2] for word in line.words),
                max(word.box[3] for word in line.words),
            )


def test_texts_are_clean_and_not_empty(parser: Parser, sample: Path) -> None:
    pages = read(parser, sample)

    assert any(page.lines for page in pages)
    for page in pages:
        for line in page.lines:
            assert line.text
            assert line.text == clean(line.text)


def test_reading_twice_gives_the_same_pages(parser: Parser, sample: Path) -> None:
    assert list(map(asdict, read(parser, sample))) == list(map(asdict, read(parser, sample)))
