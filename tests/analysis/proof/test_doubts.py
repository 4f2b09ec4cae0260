"""Every field that needs review says why: a failed check, a doubt of the engine, or what the pages show."""

from typing import Any

from docsieve.analysis.proof.results import finish
from docsieve.domain.extraction import Found, FoundDoubt, LeafMetadata, Proposal, Spot
from docsieve.domain.schemas.fields import Schema
from tests.analysis.proof.samples import document, object_of, page_of

PAGE = page_of(["ACME Ltd", "Last name First name", "Total 5.50", "paid 12.00", "given 12.00", "Due date"])


def metadata(
    schema: Schema, found: dict[str, Found], *, threshold: float = 0.99, **page: Any
) -> dict[str, LeafMetadata]:
    given = page.get("on", PAGE)
    return finish([document(given)], schema, Proposal(found), engine="unmeasured", threshold=threshold).metadata


def codes(leaf: LeafMetadata) -> list[str]:
    return [doubt.code for doubt in leaf.doubts]


def of_value(value: Any, score: float = 0.5, *, name: str = "total", kind: str = "number", **page: Any) -> list[str]:
    return codes(metadata(object_of(**{name: kind}), {name: Found(value, score)}, **page)[name])


def test_a_value_that_is_on_no_page_is_named() -> None:
    assert of_value(99.99) == ["not_on_page"]


def test_a_value_that_consists_of_a_label_of_the_schema_looks_like_one() -> None:
    schema = object_of(name="string", last_name="string")
    leaves = metadata(schema, {"name": Found("Last name", 0.9), "last_name": Found("ACME", 0.9)})
    assert codes(leaves["name"]) == ["looks_like_label"]
    assert "looks_like_label" not in codes(leaves["last_name"])


def test_a_value_printed_in_several_places_without_a_label_is_named_with_their_number() -> None:
    leaf = metadata(object_of(fee="number"), {"fee": Found(12.0, 0.5)})["fee"]
    assert [doubt.message for doubt in leaf.doubts] == [
        "The value is printed in 2 places, and none of them has a label of the field."
    ]
    assert of_value(12.0, name="paid", threshold=0.1) == []


def test_the_values_of_rows_may_be_equal() -> None:
    rows = {"type": "array", "items": object_of(fee="number")}
    found = {"rows[0].fee": Found(12.0), "rows[1].fee": Found(12.0)}
    assert "several_places" not in codes(metadata(object_of(rows=rows), found)["rows[0].fee"])


def test_a_value_in_a_part_of_a_scan_that_is_hard_to_read_is_named() -> None:
    assert of_value(5.5, on=page_of(["Total 5.50"], confidence=0.6)) == ["hard_to_read"]
    assert of_value(5.5, on=page_of(["Total 5.50"], confidence=0.95), threshold=0.1) == []


def test_a_null_whose_label_is_on_a_page_says_on_which_one_and_where() -> None:
    leaf = metadata(object_of(due_date="string"), {})["due_date"]
    assert [doubt.message for doubt in leaf.doubts] == ["A label of the field is on page 1, without a value."]
    assert [each.text for each in leaf.doubts[0].evidence] == ["Due date"]


def test_a_field_below_its_threshold_always_has_a_doubt_or_a_failed_check() -> None:
    assert of_value(5.5, threshold=0.999) == ["low_confidence"]
    assert of_value("ACME Ltd", name="customer", kind="string", threshold=0.999) == ["no_label"]
    assert codes(metadata(object_of(note="string"), {}, threshold=0.999)["note"]) == ["usually_present"]


def test_a_field_that_is_certain_enough_has_no_general_doubt() -> None:
    assert of_value(5.5, threshold=0.1) == []
    assert codes(metadata(object_of(note="string"), {}, threshold=0.1)["note"]) == []


def test_an_empty_required_field_needs_review_however_sure_the_engine_is_and_its_check_says_why() -> None:
    schema = {**object_of(note="string"), "required": ["note"]}
    leaf = metadata(schema, {"note": Found(None, 1.0)}, threshold=0.5)["note"]
    assert (leaf.confidence > 0.99, leaf.needs_review, leaf.doubts) == (True, True, [])
    assert [check.name for check in leaf.checks if not check.passed] == ["required"]


def test_the_confidence_of_a_null_is_that_the_field_is_absent() -> None:
    schema = object_of(note="string", due_date="string")
    leaves = metadata(schema, {"note": Found(None, 0.97)}, threshold=0.9)
    assert (leaves["note"].confidence, leaves["note"].needs_review) == (0.97, False)
    assert leaves["due_date"].needs_review


def test_doubts_of_the_engine_come_first_and_other_values_get_their_place_on_the_page() -> None:
    spot = Spot(1, (20.0, 34.0, 60.0, 44.0), "4.50")
    doubt = FoundDoubt("two_candidates", "Two values fit: '99.99' and '4.50'.", "4.50", [spot])
    leaf = metadata(object_of(total="number"), {"total": Found(99.99, 0.5, doubts=[doubt])})["total"]
    assert codes(leaf) == ["two_candidates", "not_on_page"]
    assert leaf.doubts[0].other == "4.50"
    assert [(each.document_id, each.page, each.box, each.page_width) for each in leaf.doubts[0].evidence] == [
        ("d", 1, (20.0, 34.0, 60.0, 44.0), 600.0)
    ]


def test_a_place_that_does_not_exist_is_left_out() -> None:
    spots = [Spot(7, (0.0, 0.0, 1.0, 1.0)), Spot(1, (0.0, 0.0, 1.0, 1.0), document=3)]
    doubt = FoundDoubt("two_candidates", "Two values fit.", "4.50", spots)
    leaf = metadata(object_of(total="number"), {"total": Found(5.5, 0.5, doubts=[doubt])})["total"]
    assert leaf.doubts[0].evidence == []
