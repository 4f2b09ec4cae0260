"""What the local engine names as the reason why a value may be wrong."""

from docsieve.domain.extraction import Found
from docsieve.domain.pages.page import Line, Page
from docsieve.engines.local.engine import LocalFields, offer
from docsieve.engines.local.fields.doubts import doubts_of
from tests.engines.local.drawing import line, material, page, written
from tests.engines.local.judges import judge_that_says


def found(on: Page, name: str, kind: str = "string", **more: str) -> Found:
    schema = {"type": "object", "properties": {name: {"type": kind}, **{each: {"type": more[each]} for each in more}}}
    return LocalFields().propose(material(on), schema, lessons=None).found[name]


def said(each: Found) -> dict[str, str]:
    return {doubt.code: doubt.message for doubt in each.doubts}


def doubts_of_best(on: Page, name: str) -> dict[str, str]:
    """Also where the judge finds the best candidate too unlikely to give it."""
    offered = offer(material(on), {"type": "object", "properties": {name: {"type": "string"}}})
    [(_, candidates)] = offered.single
    best = max(candidates, key=lambda candidate: candidate.score)
    return {doubt.code: doubt.message for doubt in doubts_of(best, [], offered.scene)}


def row(y: float, *cells: str) -> list[Line]:
    return [line(40 + 120 * at, y, text) for at, text in enumerate(cells) if text]


def test_a_plain_label_and_its_value_leave_no_doubt() -> None:
    assert said(found(written("Invoice number: 4711\nDue date: 01.02.2024"), "due_date")) == {}
    assert said(found(written("Cost center: 4711"), "cost_center")) == {}


def test_two_values_with_equal_labels_are_both_named_and_the_other_has_its_place() -> None:
    both = found(written("Due date: 01.02.2024\n\n\nDue date: 15.03.2024"), "due_date")

    assert both.value == "01.02.2024"
    assert said(both) == {"two_candidates": "Two values fit: '01.02.2024' and '15.03.2024'."}
    assert (both.doubts[0].other, [spot.text for spot in both.doubts[0].spots]) == ("15.03.2024", ["15.03.2024"])


def test_one_value_written_twice_is_not_a_second_candidate() -> None:
    assert said(found(written("Due date: 01.02.2024\n\n\nDue date: 1 February 2024"), "due_date")) == {}


def test_a_longer_reading_of_the_same_value_is_not_a_second_candidate() -> None:
    assert said(found(written("Room: Oak\n\n\nRoom: Oak 2nd floor"), "room")) == {}


def test_a_value_that_another_field_uses_is_not_a_second_candidate() -> None:
    twice = written("Due date: 01.02.2024\n\n\nDelivery due date: 15.03.2024")
    assert "two_candidates" in said(found(twice, "due_date"))
    assert "two_candidates" not in said(found(twice, "due_date", delivery_due_date="string"))


def test_a_label_two_columns_away_is_named_with_its_distance() -> None:
    apart = page(row(40, "Total", "oak", "12.50"))
    assert said(found(apart, "total", "number")) == {"distant_label": "The label 'Total' is two columns away."}


def test_the_label_of_another_field_in_between_is_named() -> None:
    apart = page(row(40, "Total", "Discount:", "12.50"))
    doubts = said(found(apart, "total", "number"))
    assert doubts["other_label_between"] == "Another label, 'Discount', is between the value and its label, 'Total'."


def test_a_label_that_only_resembles_the_name_of_the_field_is_named() -> None:
    near = doubts_of_best(written("Delivery terms and conditions: ex works"), "delivery_mode")
    assert near["weak_label"] == "The label 'Delivery terms and conditions' only resembles the name of the field."


def test_a_value_without_a_label_is_named() -> None:
    alone = said(found(written("Example Works\n\nDE89 3704 0044 0532 0130 00"), "iban"))
    assert alone == {"no_label": "No label was found next to the value."}


def test_a_value_that_looks_like_a_label_is_named() -> None:
    form = page([*row(40, "Policy holder", "Account number"), *row(200, "Ada Example")])
    assert doubts_of_best(form, "policy_holder")["looks_like_label"] == "The value looks like a label."
    assert found(form, "policy_holder").value is None
    assert "looks_like_label" not in said(found(written("Policy holder: Ada Example"), "policy_holder"))


def test_a_label_is_not_offered_as_the_value_that_was_close() -> None:
    form = page([*row(40, "Policy holder", "Account number"), *row(54, "", "1184 2207")])
    missed = found(form, "policy_holder")
    assert (missed.value, missed.doubts) == (None, [])


def test_a_name_by_its_place_in_the_letter_has_no_label_and_one_after_a_label_has() -> None:
    letter = written("Example Works GmbH\nLong Street 1, 12345 Town\n\nBill to: Northwind Traders Ltd\n\nTotal 5.00")
    assert "no_label" in said(found(letter, "seller"))
    assert "no_label" not in said(found(letter, "buyer"))


def test_a_null_names_the_value_that_was_close() -> None:
    schema = {"type": "object", "properties": {"contract_number": {"type": "string"}}}
    engine = LocalFields(judge_that_says(0.2))
    near = engine.propose(material(written("Order\n\nNumber 1234")), schema).found["contract_number"]
    assert near.value is None
    assert said(near) == {"near_miss": "'1234' was close, but not certain enough."}
    assert (near.doubts[0].other, [spot.text for spot in near.doubts[0].spots]) == ("1234", ["1234"])


def test_a_sender_that_was_not_recognized_is_named() -> None:
    unknown = found(written("Invoice number: 4711"), "seller")
    assert said(unknown) == {"usually_present": "Documents usually have it, but none was recognized."}
