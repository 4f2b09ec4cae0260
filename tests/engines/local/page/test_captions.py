"""Labels are recognized by their place, their form and their words, and are not taken for values."""

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.engines.local.engine import LocalFields
from docsieve.engines.local.fields.candidates import identities, scene_of
from docsieve.engines.local.fields.spans import spans_of
from docsieve.engines.local.page.view import view
from docsieve.engines.local.vocabulary.targets import targets_of
from tests.engines.local.drawing import line, material, page, table

TEXT: Schema = {"type": "string"}


def schema(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields}


def likeness(given: Page, wanted: Schema) -> dict[str, float]:
    """How much each piece of the page looks like a label."""
    seen = view(material(given))
    scene = scene_of(seen, spans_of(seen), targets_of(fields_of(wanted)))
    return {piece.text: scene.looks_like_label(identities(piece.tokens)) for piece in seen.pieces}


def test_words_before_a_colon_and_the_names_of_fields_look_like_labels() -> None:
    found = likeness(
        page(
            [
                line(40, 40, "Registrar:      Anna Holm"),
                line(40, 60, "Voyage no.      Seal"),
                line(40, 74, "984M      SL117323"),
            ]
        ),
        schema(vessel=TEXT, voyage=TEXT, seal=TEXT),
    )
    labels = {text for text, share in found.items() if share > 0.5}
    assert labels == {"Registrar:", "Voyage no.", "Seal"}


def test_a_name_that_contains_the_word_of_a_field_does_not_look_like_a_label() -> None:
    found = likeness(page([line(40, 40, "Harbor Company Lindqvist Brothers")]), schema(company=TEXT))
    assert found["Harbor Company Lindqvist Brothers"] < 0.3


def test_the_label_of_the_next_column_is_not_the_value_of_a_field() -> None:
    lines = [
        line(40, 40, "Vessel"), line(180, 40, "Voyage"), line(320, 40, "1,248.44 EUR"),
        line(40, 54, "MV Aurelia Bay"), line(180, 54, "339L"),
    ]  # fmt: skip
    found = LocalFields().propose(material(page(lines)), schema(vessel=TEXT, voyage=TEXT), lessons=None).found
    assert found["vessel"].value == "MV Aurelia Bay"


def test_every_label_in_the_first_line_of_a_cell_of_a_form_is_a_label() -> None:
    ruled, _ = table([["", ""], ["", ""]], row_height=30)
    left, right = (cell.box for cell in ruled.cells[:2])
    lower, last = (cell.box for cell in ruled.cells[2:])
    lines = [
        line(left[0] + 2, left[1] + 2, "First name and initial", 8),
        line(left[0] + 150, left[1] + 2, "Last name", 8),
        line(left[0] + 2, left[1] + 14, "Irene Brennan"),
        line(right[0] + 2, right[1] + 2, "Social security", 8),
        line(right[0] + 2, right[1] + 11, "number", 8),
        line(right[0] + 2, right[1] + 20, "405-57-1481", 8),
        line(lower[0] + 2, lower[1] + 2, "City", 8),
        line(lower[0] + 2, lower[1] + 14, "Portland"),
        line(last[0] + 2, last[1] + 2, "State", 8),
        line(last[0] + 2, last[1] + 14, "OR"),
    ]
    given = page(lines, tables=[ruled])
    labels = {piece.text for piece in view(material(given)).pieces if piece.is_label}
    assert labels == {"First name and initial", "Last name", "Social security", "number", "City", "State"}


def test_words_far_apart_on_the_whole_page_are_one_piece() -> None:
    rows = ["Copy  for  the  records  of  the  company", "Nathan  Fairbanks  and  his  partners  in  Ohio"]
    pieces = view(material(page([line(40, 40 + 20 * at, row) for at, row in enumerate(rows)]))).pieces
    assert [piece.text for piece in pieces] == [" ".join(row.split()) for row in rows]


def test_the_items_of_a_form_that_is_numbered_through_are_labels() -> None:
    lines = [
        line(40, 40, "1. Name of Registrant"), line(300, 40, "2. Registration No."),
        line(40, 56, "Quillfeather Partners LLP"), line(300, 56, "1750"),
        line(40, 90, "3. Residence"), line(300, 90, "4.      Business"),
        line(40, 106, "12 Larch Lane"), line(300, 106, "PO Box 9"),
    ]  # fmt: skip
    wanted = schema(registrant_name=TEXT, registration_number=TEXT)
    found = likeness(page(lines), wanted)
    assert {text for text, share in found.items() if share > 0.9} == {
        "1. Name of Registrant", "2. Registration No.", "3. Residence", "4.", "Business",
    }  # fmt: skip
    values = LocalFields().propose(material(page(lines)), wanted, lessons=None).found
    assert values["registrant_name"].value == "Quillfeather Partners LLP"


def test_the_entries_of_a_numbered_list_are_not_labels() -> None:
    lines = [line(40, 40 + 14 * at, f"{at + 1}. Larch {name}") for at, name in enumerate(("Ltd", "GmbH", "Oy", "AB"))]
    assert max(likeness(page(lines), schema(company=TEXT)).values()) < 0.9


def test_the_numbered_clauses_of_a_contract_are_not_labels() -> None:
    clauses = (
        "1. Term. This agreement runs for two years.", "from the day on which both parties have signed it.",
        "2. Rent: 950 EUR", "is due on the third working day.",
        "3. Deposit of 1,900 EUR", "is paid before the keys are handed over.",
    )  # fmt: skip
    lines = [line(40, 40 + 14 * at, text) for at, text in enumerate(clauses)]
    assert max(likeness(page(lines), schema(term=TEXT, rent=TEXT)).values()) < 0.9
