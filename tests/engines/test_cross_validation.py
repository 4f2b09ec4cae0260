"""Each field of a schema is learned only if that does better on examples held back."""

from typing import Any

import pytest

from docsieve.domain.schemas.fields import Schema
from docsieve.engines.cross_validation import Validated, VerifiedExample, cross_validate
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page

SCHEMA: Schema = {
    "type": "object",
    "properties": {"total": {"type": "number"}, "load": {"type": "number"}},
}


def _slip(number: int, known: dict[str, Any], *, whole: bool = True) -> VerifiedExample:
    lines = [
        line(40, 40, "NORTH QUARRY WEIGHBRIDGE", 14),
        line(40, 80, "Total"),
        line(200, 80, f"{number + 40}.50"),
        line(40, 108, "Tar"),
        line(200, 108, f"{number + 3}.25"),
        line(40, 170, "Danke und gute Fahrt"),
    ]
    return VerifiedExample(material(page(lines)), SCHEMA, known, {}, whole)


def _validated(examples: list[VerifiedExample]) -> Validated:
    return cross_validate(LocalFields(), examples, lambda: None)


def test_a_field_that_was_right_before_is_not_learned_with_one_that_was_not() -> None:
    found = _validated([_slip(number, {"total": number + 40.5, "load": number + 3.25}) for number in range(6)])

    assert list(found.lessons["fields"]) == ["load"]
    assert found.trained.f1 > found.untrained.f1


def test_corrections_that_contradict_each_other_teach_nothing() -> None:
    found = _validated([_slip(number, {"total": number + 40.5, "load": 900.0 + number}) for number in range(6)])

    assert found.lessons["fields"] == {}
    assert found.trained.f1 == found.untrained.f1


@pytest.mark.parametrize(("whole", "said"), [(True, 4), (False, 0)])
def test_of_fields_that_were_not_confirmed_only_those_of_a_verified_document_count(whole: bool, said: int) -> None:
    examples = [_slip(number, {"load": number + 3.25}, whole=whole) for number in range(4)]

    assert _validated(examples).untrained.said == said


def test_a_value_that_people_take_away_again_and_again_is_no_longer_given() -> None:
    examples = [_slip(number, {"total": None}, whole=False) for number in range(6)]
    found = _validated(examples)

    proposed = LocalFields().propose(_slip(9, {}).materials, SCHEMA, lessons=found.lessons).found
    assert "total" not in proposed or proposed["total"].value is None
