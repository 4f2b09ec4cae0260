"""Which column of a table is which field of a list."""

from docsieve.domain.schemas.fields import Schema
from tests.engines.local.drawing import page, table
from tests.engines.local.lists.asking import NUMBER, TEXT, listed, rows, value


def described(kind: str, description: str) -> Schema:
    return {"type": kind, "description": description}


def test_a_column_whose_cells_look_like_the_examples_of_a_field_is_that_field() -> None:
    ruled, lines = table(
        [
            ["Months following the premises date", "Rent"],
            ["1 - 12", "100.00"],
            ["13 - 24", "110.00"],
            ["25 - 36", "120.00"],
        ]
    )
    schema = {
        "rents": listed(
            premises=described("string", "the premises, e.g. 'North Wing'"),
            period_months=described("string", "the months, e.g. '37 - 48'"),
            rent=NUMBER,
        )
    }

    found = rows(value(schema, page(lines, tables=[ruled]))["rents"])
    assert [row[1:] for row in found] == [["1 - 12", 100.0], ["13 - 24", 110.0], ["25 - 36", 120.0]]
    assert not any(row[0] in ("1 - 12", "13 - 24") for row in found)


def test_unknown_headings_over_a_text_and_as_many_numbers_as_wanted_are_a_list_of_low_confidence() -> None:
    ruled, lines = table([["Snorble", "Frimp", "Gwelt"], ["Fire", "1,000.00", "10.00"], ["Theft", "2,000.00", "15.00"]])
    schema = {"coverages": listed(name=TEXT, limit=NUMBER, premium=NUMBER)}

    found = value(schema, page(lines, tables=[ruled]))
    assert rows(found["coverages"]) == [["Fire", 1000.0, 10.0], ["Theft", 2000.0, 15.0]]


def test_unknown_headings_over_texts_are_not_a_list() -> None:
    ruled, lines = table([["Snorble", "Frimp", "Gwelt"], ["Fire", "North", "Yes"], ["Theft", "South", "No"]])
    schema = {"coverages": listed(name=TEXT, region=TEXT, insured=TEXT)}

    assert value(schema, page(lines, tables=[ruled]))["coverages"] == []


def test_a_column_of_texts_is_not_a_field_that_only_its_type_suggests_unless_it_names_the_entries() -> None:
    ruled, lines = table(
        [
            ["Container", "Pkgs", "Kind", "Weight"],
            ["KKZU3181271", "572", "pallets", "12.5"],
            ["JJBU83", "8", "crates", "9"],
        ]
    )
    schema = {"containers": listed(number=TEXT, seal=TEXT, weight=NUMBER)}

    found = value(schema, page(lines, tables=[ruled]))
    assert rows(found["containers"]) == [["KKZU3181271", None, 12.5], ["JJBU83", None, 9.0]]
