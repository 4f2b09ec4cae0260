"""What the contract asks of every parser, asked of these before they are registered."""

from pathlib import Path

import pytest

from docsieve.domain.text import clean
from docsieve.parsers.data.formats import CSV, JSON
from docsieve.parsers.port import HEAD_BYTES, Parser, ReadOptions
from docsieve.parsers.text.formats import TEXT
from docsieve.parsers.web.formats import EPUB, HTML, MARKDOWN, XML
from tests.parsers.samples import SAMPLES

IN_ORDER: tuple[Parser, ...] = (
    EPUB, HTML, JSON, XML, MARKDOWN, CSV, TEXT
)  # fmt: skip


@pytest.mark.parametrize("parser", IN_ORDER, ids=lambda parser: parser.name)
def test_the_first_parser_that_detects_a_sample_is_its_own(parser: Parser, tmp_path: Path) -> None:
    head = SAMPLES[parser.name](tmp_path / "sample").read_bytes()[:HEAD_BYTES]

    found = next(other for other in IN_ORDER if other.sniff(head))

    assert found is parser
    assert parser.sniff(head) in parser.media_types


@pytest.mark.parametrize("parser", IN_ORDER, ids=lambda parser: parser.name)
def test_lines_are_made_of_their_words_and_are_clean(parser: Parser, tmp_path: Path) -> None:
    reading = parser.read(SAMPLES[parser.name](tmp_path / "sample"), ReadOptions())
    pages = list(reading.pages)

    assert [page.number for page in pages] == list(range(1, reading.page_count + 1))
    assert any(page.lines for page in pages)
    for line in (line for page in pages for line in page.lines):
        assert line.text == " ".join(word.text for word in line.words) == clean(line.text)


BINARIES = {
    "png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)),
    "zip": b"PK\x03\x04\x14\x00\x00\x00\x08\x00" + bytes(range(200, 256)) * 4,
    "ole": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 500,
    "elf": b"\x7fELF\x02\x01\x01" + b"\x00" * 9 + bytes(range(256)),
    "gzip": b"\x1f\x8b\x08\x00" + bytes((n * 97) % 256 for n in range(2000)),
    "jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes((n * 89) % 256 for n in range(2000)),
    "nothing": b"",
}


@pytest.mark.parametrize("parser", IN_ORDER, ids=lambda parser: parser.name)
@pytest.mark.parametrize("kind", BINARIES)
def test_bytes_that_are_not_text_are_not_detected(parser: Parser, kind: str) -> None:
    assert parser.sniff(BINARIES[kind]) is None
