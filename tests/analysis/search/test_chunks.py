"""Chunks follow the structure of the pages that they come from."""

import json
from collections.abc import Iterator
from itertools import pairwise

import pytest

from docsieve.analysis.search.chunks import FOR_SEARCH, Chunker, Sizes, chunk_pages, weight
from docsieve.content.blocks import page_blocks
from docsieve.domain.pages.chunks import Chunk, PackedChunk, Place, unpack_places
from docsieve.domain.pages.page import Box, Cell, Line, Page, Table

SENTENCE = "The committee met again and nothing was decided about the old bridge. "


def _box(row: float, rows: float = 1.0) -> Box:
    return (50.0, row * 14.0, 500.0, (row + rows) * 14.0)


def _page(*lines: Line, number: int = 1, tables: list[Table] | None = None) -> Page:
    return Page(number, 612.0, 5000.0, list(lines), tables=tables or [])


def _table(rows: int, first_row: int = 10) -> tuple[Table, list[Line]]:
    cells = [
        Cell(row, column, f"{'head' if row == 0 else 'cell'} {row} {column}", _box(first_row + row), header=row == 0)
        for row in range(rows)
        for column in range(3)
    ]
    lines = [Line(f"row {row}", _box(first_row + row)) for row in range(rows)]
    return Table(_box(first_row, rows), rows, 3, cells), lines


def test_a_heading_begins_a_chunk_and_is_carried_by_those_under_it() -> None:
    lines = [Line("Costs", _box(0), block=0, role="heading")]
    lines += [Line(SENTENCE * 12, _box(2 + at), block=1 + at) for at in range(3)]
    lines += [Line("Terms", _box(8), block=8, role="heading"), Line(SENTENCE * 8, _box(9), block=9)]
    chunks = list(chunk_pages([_page(*lines)]))
    assert [chunk.heading for chunk in chunks] == ["Costs", "Costs", "Costs", "Terms"]
    assert chunks[0].text.startswith("Costs\n")
    assert chunks[3].text.startswith("Terms\n")
    assert [chunk.ordinal for chunk in chunks] == [0, 1, 2, 3]


def test_what_a_page_repeats_around_its_text_is_a_paragraph_of_its_own() -> None:
    lines = [Line("Page 3", _box(0), role="header"), Line("The bridge is old.", _box(1))]
    lines += [Line("1 See the minutes.", _box(2), role="footnote"), Line("Minutes of May", _box(3), role="footer")]

    found = [(block.kind, block.part, block.text) for block in page_blocks(_page(*lines))]

    assert found == [("paragraph", line.role or "body", line.text) for line in lines]


def test_a_paragraph_is_not_split_unless_it_is_too_long() -> None:
    lines = [Line(f"{at} {SENTENCE * 2}".strip(), _box(at), block=at // 4) for at in range(12)]
    chunks = list(chunk_pages([_page(*lines)]))
    paragraphs = [" ".join(line.text for line in lines[at : at + 4]) for at in (0, 4, 8)]
    for paragraph in paragraphs:
        assert sum(paragraph in chunk.text for chunk in chunks) == 1


def test_a_paragraph_that_is_too_long_is_split_between_sentences() -> None:
    (*chunks, last) = chunk_pages([_page(Line(SENTENCE * 100, _box(0), block=0))])
    assert len(chunks) > 3
    assert all(chunk.text.endswith(".") and weight(chunk.text) <= FOR_SEARCH.largest for chunk in chunks)
    assert " ".join(chunk.text for chunk in (*chunks, last)) == (SENTENCE * 100).strip()


def test_text_without_any_space_is_split_all_the_same() -> None:
    for sign in ("x", "字"):
        chunks = list(chunk_pages([_page(Line(sign * 20_000, _box(0)))]))
        assert all(0 < weight(chunk.text) <= FOR_SEARCH.largest for chunk in chunks)
        assert "".join(chunk.text for chunk in chunks) == sign * 20_000


def test_small_pieces_are_gathered_over_pages() -> None:
    pages = [_page(Line(f"Note {number}.", _box(0)), number=number) for number in range(1, 6)]
    (chunk,) = chunk_pages(pages)
    assert chunk.text == "\n".join(f"Note {number}." for number in range(1, 6))
    assert [place.page for place in chunk.places] == [1, 2, 3, 4, 5]


def test_a_table_is_a_separate_chunk_and_its_lines_are_not_repeated() -> None:
    table, inside = _table(12)
    page = _page(Line("Before.", _box(0)), *inside, Line("After.", _box(40)), tables=[table])
    before, middle, after = chunk_pages([page])
    assert (before.text, after.text, middle.kind) == ("Before.", "After.", "table")
    assert middle.text.splitlines()[:2] == ["head 0 0 | head 0 1 | head 0 2", "cell 1 0 | cell 1 1 | cell 1 2"]
    assert "row 1" not in middle.text


def test_a_huge_table_is_split_by_rows_and_repeats_its_header() -> None:
    table, inside = _table(300)
    chunks = list(chunk_pages([_page(*inside, tables=[table])]))
    assert len(chunks) > 2
    header = "head 0 0 | head 0 1 | head 0 2"
    for chunk in chunks:
        assert chunk.text.splitlines()[0] == header
        assert weight(chunk.text) <= FOR_SEARCH.table * 1.25
    rows = [row for chunk in chunks for row in chunk.text.splitlines() if row != header]
    assert rows == [" | ".join(f"cell {row} {column}" for column in range(3)) for row in range(1, 300)]


def test_places_give_the_position_of_each_line() -> None:
    lines = [Line("Costs", _box(0), block=0, role="heading"), Line("One two.", _box(2), block=1)]
    lines += [Line("Three four.", _box(3), block=1)]
    (chunk,) = chunk_pages([_page(*lines)])
    said = {chunk.text[place.start : place.end]: place.box for place in chunk.places}
    assert said == {"Costs": _box(0), "One two.": _box(2), "Three four.": _box(3)}


def test_pages_are_taken_one_at_a_time() -> None:
    asked: list[int] = []

    def pages() -> Iterator[Page]:
        for number in range(1, 100):
            asked.append(number)
            yield _page(Line(SENTENCE * 20, _box(0)), number=number)

    next(chunk_pages(pages()))
    assert len(asked) <= 2


def test_a_chunk_survives_its_way_through_a_file() -> None:
    chunk = Chunk(3, 'Says "ü"\nand more', 7, None, "table", [Place(7, 0, 4, (1.0, 2.5, 3.0, 4.0))])
    line = chunk.to_json()
    assert b"\n" not in line
    assert Chunk.from_json(line) == chunk
    packed = PackedChunk.from_json(line)
    assert (packed.text, packed.page, packed.kind) == (chunk.text, 7, "table")
    assert unpack_places(packed.packed) == chunk.places


@pytest.mark.parametrize(
    "places", ["{}", "[[1,2,3]]", '[["a",0,1,1.0,2.0,3.0,4.0]]', "[[7,0,4,1.0,2.5,3.0,4.0],]", "[] "]
)
def test_places_that_no_chunk_has_packed_are_refused(places: str) -> None:
    line = json.dumps([0, "text", 1, None, "text", places])
    with pytest.raises(ValueError, match="places"):
        PackedChunk.from_json(line)


def test_pages_without_text_give_no_chunk() -> None:
    assert list(chunk_pages([])) == []
    assert list(chunk_pages([_page(Line("  ", _box(0)))])) == []


def test_all_pages_pass_by_even_when_a_document_has_enough_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docsieve.analysis.search.chunks.MAX_CHUNKS", 3)
    asked: list[int] = []

    def pages() -> Iterator[Page]:
        for number in range(1, 20):
            asked.append(number)
            yield _page(Line(SENTENCE * 15, _box(0)), number=number)

    assert len(list(chunk_pages(pages()))) == 3
    assert len(asked) == 19


def _chunks(sizes: Sizes, *pages: Page) -> list[Chunk]:
    chunker = Chunker(sizes)
    made = [chunk for page in pages for block in page_blocks(page) for chunk in chunker.take(block)]
    return [*made, *chunker.flush()]


def test_no_row_of_a_table_is_cut_if_rows_may_be_long() -> None:
    rows = [f"{at} {SENTENCE * 3}".strip() for at in range(9)]
    cells = [Cell(at, 0, text, _box(10 + at)) for at, text in enumerate(rows)]
    lines = [Line(text, _box(10 + at)) for at, text in enumerate(rows)]
    page = _page(*lines, tables=[Table(_box(10, 9), 9, 1, cells)])
    chunks = _chunks(Sizes(20, 30, 4, 30, float("inf"), 0), page)
    assert [chunk.text for chunk in chunks] == rows


def test_a_chunk_repeats_the_end_of_the_one_before_it_in_the_same_section() -> None:
    lines = [Line("Costs", _box(0), block=0, role="heading")]
    lines += [Line(f"{at}. {SENTENCE}".strip(), _box(2 + at), block=1 + at) for at in range(9)]
    lines += [Line("Terms", _box(20), block=20, role="heading"), Line(SENTENCE * 3, _box(21), block=21)]
    sizes = Sizes(50, 60, 8, 60, float("inf"), 20)
    chunks = _chunks(sizes, _page(*lines))
    costs = [chunk for chunk in chunks if chunk.headings == ("Costs",)]
    for before, after in pairwise(costs):
        assert after.text.splitlines()[0] == before.text.splitlines()[-1]
        assert weight(after.text) <= 60
    terms = chunks[len(costs)]
    assert terms.text.startswith("Terms\n")
    for chunk in chunks:
        assert all(chunk.text[place.start : place.end].strip() for place in chunk.places)


def test_chunks_carry_the_path_of_headings() -> None:
    titles = [("Report", 1), ("Costs", 2), ("Roads", 3), ("Terms", 2)]
    lines = []
    for at, (title, level) in enumerate(titles):
        lines.append(Line(title, _box(4 * at), block=2 * at, role="heading", level=level))
        lines.append(Line(f"{title}. {SENTENCE * 4}", _box(4 * at + 2), block=2 * at + 1))
    chunks = _chunks(FOR_SEARCH, _page(*lines))
    assert [chunk.headings for chunk in chunks] == [
        ("Report",),
        ("Report", "Costs"),
        ("Report", "Costs", "Roads"),
        ("Report", "Terms"),
    ]
