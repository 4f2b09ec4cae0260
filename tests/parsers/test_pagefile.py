import io
from dataclasses import asdict

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from docsieve.domain.pagefile import (
    MAX_PAGE_BYTES,
    TRAILER_BYTES,
    PageFileSummary,
    PageFileWriter,
    PageIndex,
    decode_page,
    decode_page_json,
    index_range,
    page_text,
    read_index,
)
from docsieve.domain.pages import Line, Page, Word
from docsieve.errors import BlobStoreError, DocsieveError, NotFound


def page(number: int, text: str = "one two", error: str | None = None) -> Page:
    words = [Word(part, (1.0, 2.0, 3.0, 4.0), 0.5) for part in text.split()]
    return Page(number, 595.0, 842.0, [] if error else [Line(text, (1.0, 2.0, 3.0, 4.0), words)], error)


def written(*pages: Page) -> tuple[bytes, PageFileSummary]:
    file = io.BytesIO()
    writer = PageFileWriter(file, parser="pdf", parser_version="1")
    for each in pages:
        writer.add(each)
    summary = writer.close()
    return file.getvalue(), summary


def index_of(data: bytes) -> PageIndex:
    start, end = index_range(len(data), data[-TRAILER_BYTES:])
    return read_index(data[start:end])


def test_a_page_is_read_back_by_three_ranges() -> None:
    pages = [page(number, f"text of page {number}") for number in range(1, 21)]
    data, _ = written(*pages)

    start, end = index_of(data).page_range(13)
    json = decode_page_json(data[start:end])

    assert page_text(json) == "text of page 13"
    assert asdict(decode_page(json)) == asdict(pages[12])


def test_the_index_knows_characters_errors_and_the_parser() -> None:
    data, summary = written(page(1, "four"), page(2, error="broken"), page(3, "sixsix"))

    index = index_of(data)

    assert (index.parser, index.parser_version, index.page_count) == ("pdf", "1", 3)
    assert index.characters == [4, 0, 6]
    assert index.errors == {2: "broken"}
    assert summary == PageFileSummary(page_count=3, characters=10, pages_failed=1, bytes=len(data))


@pytest.mark.parametrize("number", [0, -1, 2])
def test_a_page_that_is_not_there_is_not_found(number: int) -> None:
    data, _ = written(page(1))

    with pytest.raises(NotFound):
        index_of(data).page_range(number)


def test_pages_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot follow"):
        written(page(1), page(3))


@pytest.mark.parametrize("stated_size", [True, False])
def test_a_small_frame_that_would_grow_past_the_bound_is_not_decompressed(stated_size: bool) -> None:
    bomb = zstandard.ZstdCompressor(write_content_size=stated_size).compress(bytes(MAX_PAGE_BYTES + 1))

    with pytest.raises(BlobStoreError):
        decode_page_json(bomb)


@given(st.data())
def test_damaged_bytes_are_reported_as_damage_and_nothing_else(data: st.DataObject) -> None:
    whole = bytearray(written(page(1), page(2))[0])
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))

    try:
        for number in (1, 2):
            start, end = index_of(bytes(whole)).page_range(number)
            decode_page(decode_page_json(bytes(whole[start:end])))
    except DocsieveError:
        return
    assert whole != written(page(1), page(2))[0]


@given(st.text())
def test_any_text_survives_the_round_trip(text: str) -> None:
    sample = Page(1, 1.0, 1.0, [Line(text, (0.0, 0.0, 1.0, 1.0))])
    data, _ = written(sample)

    start, end = index_of(data).page_range(1)

    assert page_text(decode_page_json(data[start:end])) == text
