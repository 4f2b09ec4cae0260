"""What a model gets to see of documents."""

import json
from dataclasses import asdict

from pydantic import TypeAdapter

from docsieve.domain.pages.page import Cell, FormField, Line, Note, Page, Table
from docsieve.engines.llm.prepare import PageRef, PreparedText, prepare
from tests.engines.llm.conftest import grid, material, page

SCALARS = {"type": "object", "properties": {"total": {"type": "number"}}}
ROWS = {
    "type": "object",
    "properties": {
        "rows": {"type": "array", "items": {"type": "object", "properties": {"amount": {"type": "number"}}}}
    },
}


def test_pieces_at_the_same_height_are_one_line() -> None:
    label, value = Line("Total:", (50, 100, 90, 110)), Line("12.50", (300, 101, 330, 111))
    below = Line("Thank you", (50, 120, 120, 130))
    (part,) = prepare([material(Page(1, 612, 792, [label, value, below]))], SCALARS).parts
    assert part.text == "--- Page 1 ---\nTotal:   12.50\nThank you"


def test_a_table_is_said_once_and_row_by_row() -> None:
    table = grid([["Item", "Amount"], ["Tea | green", "3.00"]], top=100)
    lines = [
        Line("Before", (50, 50, 90, 60)),
        Line("Item Amount", (50, 100, 240, 110)),
        Line("Tea 3.00", (50, 112, 240, 122)),
        Line("After", (50, 200, 90, 210)),
    ]
    (part,) = prepare([material(Page(1, 612, 792, lines, tables=[table]))], ROWS).parts
    assert part.text.split("\n")[1:] == ["Before", "| Item | Amount |", "| Tea / green | 3.00 |", "After"]
    assert part.rows == 1


def test_a_frame_around_a_part_of_the_page_is_not_a_row_of_values() -> None:
    lines = [Line(f"Label {at}: value {at} {'x' * 20}", (55, 102 + 12 * at, 240, 111 + 12 * at)) for at in range(9)]
    frame = Cell(0, 0, "\n".join(line.text for line in lines), (50, 100, 250, 210))
    values = [
        Cell(1, column, text, (50 + 100 * column, 210, 150 + 100 * column, 222))
        for column, text in ((0, "a"), (1, "b"))
    ]
    table = Table((50, 100, 250, 222), 2, 2, [frame, *values])
    (part,) = prepare(
        [material(Page(1, 612, 792, [*lines, Line("a b", (55, 212, 240, 220))], tables=[table]))], ROWS
    ).parts
    said = part.text.split("\n")
    assert said[1:10] == [line.text for line in lines]
    assert said[10:] == ["| a | b |"]


def test_form_fields_and_notes_are_said_with_their_values() -> None:
    fields = [
        FormField("name", "text", "Ada", (0, 0, 1, 1)),
        FormField("member", "checkbox", True, (0, 0, 1, 1)),
        FormField("empty", "text", None, (0, 0, 1, 1)),
    ]
    notes = [Note("text", "paid in cash", (0, 0, 1, 1))]
    (part,) = prepare([material(Page(1, 612, 792, [], form_fields=fields, notes=notes))], SCALARS).parts
    assert part.text.split("\n")[1:] == ["name: Ada", "member: yes", "Note: paid in cash"]


def test_long_documents_are_split_between_pages_and_nothing_is_lost() -> None:
    pages = [page(number, *(f"line {number}.{at} {'x' * 60}" for at in range(40))) for number in range(1, 31)]
    prepared = prepare([material(*pages)], ROWS)
    assert len(prepared.parts) > 5
    for part in prepared.parts:
        assert len(part.text) <= 12_000
        assert part.text.startswith("--- Page ")
    said = "\n".join(part.text for part in prepared.parts)
    for number in range(1, 31):
        for at in range(40):
            assert said.count(f"line {number}.{at} ") == 1
    assert [ref.page for part in prepared.parts for ref in part.pages] == list(range(1, 31))
    assert prepared.parts[1].context == "\n".join(prepared.parts[0].text.split("\n")[-4:])


def test_a_huge_page_is_split_inside_and_its_table_keeps_its_header() -> None:
    rows = [["Date", "Amount"], *([f"2026-01-{at % 28 + 1:02}", f"{at}.00"] for at in range(2000))]
    prepared = prepare([material(page(1, table=grid(rows)))], ROWS)
    assert len(prepared.parts) > 2
    for part in prepared.parts[1:]:
        first, second = part.text.split("\n")[:2]
        assert first == "--- Page 1 --- (goes on)"
        assert second == "(the table that goes on here has the columns) | Date | Amount |"
    assert sum(part.rows for part in prepared.parts) == 2000


def test_a_table_that_continues_over_pages_takes_its_header_along() -> None:
    first = page(1, table=grid([["Date", "Amount"], *(["2026-01-01", f"{at}.00 {'x' * 50}"] for at in range(150))]))
    second = page(2, table=grid([["2026-01-02", f"{at}.00 {'x' * 50}"] for at in range(100)], header=False))
    prepared = prepare([material(first, second)], ROWS)
    assert [[ref.page for ref in part.pages] for part in prepared.parts] == [[1], [2]]
    assert prepared.parts[1].text.split("\n")[1].endswith("| Date | Amount |")
    assert prepared.parts[1].rows == 100


def test_several_documents_are_told_apart_and_share_no_context() -> None:
    long = [f"{'y' * 100} {at}" for at in range(100)]
    prepared = prepare([material(page(1, *long)), material(page(1, *long))], ROWS)
    first, second = prepared.parts
    assert first.text.startswith("--- Document 1, page 1 ---")
    assert second.text.startswith("--- Document 2, page 1 ---")
    assert second.context == ""
    assert second.pages == [PageRef(1, 1)]


def test_questions_with_images_hold_few_pages() -> None:
    prepared = prepare([material(*(page(number, "x") for number in range(1, 26)))], SCALARS, max_pages=10)
    assert [len(part.pages) for part in prepared.parts] == [10, 10, 5]


def test_prepared_text_survives_a_round_trip_through_json() -> None:
    prepared = prepare([material(page(1, "Total 3\ud83d\x00"))], SCALARS)
    assert TypeAdapter(PreparedText).validate_json(json.dumps(asdict(prepared))) == prepared


def test_an_empty_document_is_prepared_too() -> None:
    assert prepare([material()], SCALARS).parts == []
    assert prepare([material(page(1))], SCALARS).parts[0].text == "--- Page 1 ---"
