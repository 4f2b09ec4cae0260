"""What comes out of an extraction as a whole."""

from typing import Any

from docsieve.analysis.proof.results import finish
from docsieve.domain.extraction import Found, Proposal, Result, Usage
from tests.analysis.proof.samples import document, object_of, page_of

PAGE = page_of(["ACME Ltd", "Subtotal 5.00", "Tax 0.50", "Total 5.50"])
SCHEMA = object_of(company="string", subtotal="number", tax="number", total="number", note="string")


def finished(schema: dict[str, Any] = SCHEMA, threshold: float = 0.3, **values: Any) -> Result:
    found = {path.replace("__", "."): Found(value, 0.9) for path, value in values.items()}
    return finish([document(PAGE)], schema, Proposal(found, Usage(calls=3)), engine="unmeasured", threshold=threshold)


def test_the_value_has_the_schemas_shape_and_every_leaf_its_metadata() -> None:
    result = finished(company="ACME Ltd", total=5.5, nonsense="dropped")
    assert result.value == {"company": "ACME Ltd", "subtotal": None, "tax": None, "total": 5.5, "note": None}
    assert set(result.metadata) == set(result.value)
    assert result.metadata["total"].grounded
    assert result.metadata["total"].evidence[0].text == "5.50"
    assert not result.metadata["note"].grounded
    assert result.usage.calls == 3


def test_an_invented_value_is_kept_but_ungrounded_and_less_sure() -> None:
    result = finished(company="Nobody Inc", total=5.5)
    assert not result.metadata["company"].grounded
    assert result.metadata["company"].evidence == []
    assert result.metadata["company"].confidence < result.metadata["total"].confidence


def test_a_value_below_its_threshold_needs_review() -> None:
    assert not finished(total=5.5, threshold=0.3).needs_review
    assert finished(total=5.5, threshold=0.999).needs_review
    strict = object_of(total={"type": "number", "x-threshold": 0.999})
    assert finished(strict, threshold=0.3, total=5.5).needs_review


def test_a_failed_check_needs_review_and_lowers_confidence() -> None:
    right = finished(subtotal=5.0, tax=0.5, total=5.5)
    wrong = finished(subtotal=5.0, tax=0.5, total=5.0)
    assert not right.needs_review
    assert finished(subtotal=5.5, tax=0.5, total=5.0).needs_review
    assert right.metadata["tax"].confidence > wrong.metadata["tax"].confidence


def test_a_required_field_without_a_value_needs_review_and_an_optional_one_does_not() -> None:
    required = {**SCHEMA, "required": ["note"]}
    assert not finished(total=5.5).needs_review
    missing = finished(required, total=5.5)
    assert missing.needs_review
    assert missing.confidence < finished(total=5.5).confidence


def test_a_failed_rule_about_empty_fields_flags_each_of_them_and_so_the_extraction() -> None:
    rule = {"rule": "present(vat_id) or present(tax_id)"}
    schema = {**object_of(vat_id="string", tax_id="string"), "x-rules": [rule]}
    result = finished(schema)
    assert {path: leaf.needs_review for path, leaf in result.metadata.items()} == {"vat_id": True, "tax_id": True}
    assert result.needs_review


def test_an_empty_optional_field_needs_review_where_its_label_is_on_the_page() -> None:
    result = finished(company="ACME Ltd", subtotal=5.0, threshold=0.6)
    assert {path for path, leaf in result.metadata.items() if leaf.needs_review} == {"tax", "total"}
    assert result.metadata["tax"].confidence < result.metadata["note"].confidence


def test_a_label_that_leads_to_the_value_of_another_field_is_not_a_hint() -> None:
    schema = object_of(total={"type": "number", "x-labels": ["Sum"]}, amount={"type": "number", "x-labels": ["Total"]})
    taken = finished(schema, threshold=0.6, total=5.5).metadata["amount"]
    assert taken.confidence > finished(schema, threshold=0.6).metadata["amount"].confidence


def test_an_empty_field_of_a_list_is_told_once_and_only_if_no_row_has_it() -> None:
    rows = {"type": "array", "items": object_of(company="string", total="number", tax="number")}
    schema = object_of(rows=rows)
    found = {"rows[0].company": Found("ACME Ltd"), "rows[1].company": Found("Bolt"), "rows[1].total": Found(5.5)}
    result = finish([document(PAGE)], schema, Proposal(found), engine="unmeasured", threshold=0.6)
    empty = {path for path, leaf in result.metadata.items() if leaf.needs_review and not leaf.grounded}
    assert empty - {"rows[1].company"} == {"rows[0].tax"}


def test_a_threshold_of_the_schema_holds_for_an_empty_field_too() -> None:
    assert not finished(object_of(note={"type": "string", "x-threshold": 0.1})).needs_review
    assert finished(object_of(note={"type": "string", "x-threshold": 0.99})).needs_review


def test_a_value_of_another_type_is_read_or_becomes_null_with_a_failed_check() -> None:
    read = finished(total="RM 5.50")
    assert read.value["total"] == 5.5 and read.metadata["total"].grounded
    unreadable = finished(total="unknown")
    assert unreadable.value["total"] is None
    assert [(check.name, check.passed) for check in unreadable.metadata["total"].checks] == [("type", False)]
    assert unreadable.needs_review


def test_nothing_found_is_nothing_sure() -> None:
    result = finished()
    assert result.confidence == 0.0
    assert set(result.value.values()) == {None}


def test_the_same_proposal_gives_the_same_result() -> None:
    assert finished(company="ACME Ltd", total=5.5) == finished(company="ACME Ltd", total=5.5)
