import hashlib
import io
from dataclasses import asdict

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from docsieve.domain.pages.page import Line, Page, Word
from docsieve.domain.pages.pagefile import (
    MAX_PAGE_BYTES,
    TRAILER_BYTES,
    PageFileSummary,
    PageFileWriter,
    PageIndex,
    check_file,
    decode_page,
    frame_json,
    index_range,
    page_text,
    pages_so_far,
    read_index,
    stored_page,
    whole_index,
)
from docsieve.errors import NotFound, PagesDamaged


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


def test_a_page_is_read_back_by_three_ranges() -> None:
    pages = [page(number, f"text of page {number}") for number in range(1, 21)]
    data, _ = written(*pages)

    index_start, index_end = index_range(len(data), data[-TRAILER_BYTES:])
    index = read_index(data[index_start:index_end])
    start, end = index.page_range(13)
    json = index.page_json(13, data[start:end])

    assert page_text(json) == "text of page 13"
    assert asdict(decode_page(json)) == asdict(pages[12])


def test_the_index_knows_characters_errors_and_the_parser() -> None:
    data, summary = written(page(1, "four"), page(2, error="broken"), page(3, "sixsix"))

    index = whole_index(data)

    assert (index.parser, index.parser_version, index.page_count) == ("pdf", "1", 3)
    assert index.characters == [4, 0, 6]
    assert index.errors == {2: "broken"}
    assert summary == PageFileSummary(page_count=3, characters=10, pages_failed=1, bytes=len(data))


@pytest.mark.parametrize("number", [0, -1, 2])
def test_a_page_that_is_not_there_is_not_found(number: int) -> None:
    data, _ = written(page(1))

    with pytest.raises(NotFound):
        whole_index(data).page_range(number)


def test_pages_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot follow"):
        written(page(1), page(3))


@pytest.mark.parametrize("stated_size", [True, False])
def test_a_small_frame_that_would_grow_past_the_bound_is_not_decompressed(stated_size: bool) -> None:
    bomb = zstandard.ZstdCompressor(write_content_size=stated_size).compress(bytes(MAX_PAGE_BYTES + 1))
    index = PageIndex("pdf", "1", digests=[hashlib.blake2b(bomb, digest_size=16).hexdigest()])

    with pytest.raises(PagesDamaged, match="frame"):
        index.page_json(1, bomb)


@given(st.data())
def test_any_changed_byte_is_reported_as_damage(data: st.DataObject) -> None:
    whole = bytearray(written(page(1), page(2))[0])
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))

    with pytest.raises(PagesDamaged):
        check_file(io.BytesIO(whole))


@given(st.data())
def test_a_page_with_a_changed_byte_is_not_read(data: st.DataObject) -> None:
    whole = bytearray(written(page(1), page(2))[0])
    index = whole_index(bytes(whole))
    number = data.draw(st.sampled_from((1, 2)))
    start, end = index.page_range(number)
    whole[data.draw(st.integers(start, end - 1))] ^= data.draw(st.integers(1, 255))

    with pytest.raises(PagesDamaged):
        stored_page(bytes(whole), index, number)


@given(st.data())
def test_a_changed_byte_of_the_index_is_reported_as_damage(data: st.DataObject) -> None:
    whole = bytearray(written(page(1), page(2))[0])
    start, end = index_range(len(whole), bytes(whole[-TRAILER_BYTES:]))
    whole[data.draw(st.integers(start, end - 1))] ^= data.draw(st.integers(1, 255))

    with pytest.raises(PagesDamaged):
        whole_index(bytes(whole))


def test_pages_are_read_from_a_file_that_is_still_being_written() -> None:
    file = io.BytesIO()
    writer = PageFileWriter(file, parser="pdf", parser_version="1")
    assert list(pages_so_far(file)) == []
    writer.add(page(1, "first"))
    [(after, first)] = pages_so_far(file)
    file.seek(0, io.SEEK_END)
    writer.add(page(2, "second"))
    writer.close()
    whole = file.getvalue()

    assert page_text(frame_json(first)) == "first"
    for length in range(after, len(whole) + 1):
        frames = [frame for _, frame in pages_so_far(io.BytesIO(whole[:length]), start=after)]
        expected = ["second"] if length >= whole_index(whole).page_range(2)[1] else []
        assert [page_text(frame_json(frame)) for frame in frames] == expected


@given(st.data())
def test_a_file_cut_short_is_reported_as_damage(data: st.DataObject) -> None:
    whole = written(page(1), page(2))[0]
    length = data.draw(st.integers(0, len(whole) - 1))

    with pytest.raises(PagesDamaged):
        check_file(io.BytesIO(whole[:length]))


def test_a_page_in_the_place_of_another_is_reported_as_damage() -> None:
    data, _ = written(page(1, "one two"), page(2, "six ten"))
    index = whole_index(data)
    first, second = (slice(*index.page_range(number)) for number in (1, 2))

    index.page_json(1, data[first])
    with pytest.raises(PagesDamaged):
        index.page_json(1, data[second])


def test_a_whole_file_passes_its_check() -> None:
    data, _ = written(page(1), page(2))

    assert check_file(io.BytesIO(data)) == whole_index(data)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_any_text_survives_the_round_trip(text: str) -> None:
    sample = Page(1, 1.0, 1.0, [Line(text, (0.0, 0.0, 1.0, 1.0))])
    data, _ = written(sample)

    assert page_text(stored_page(data, whole_index(data), 1)) == text
