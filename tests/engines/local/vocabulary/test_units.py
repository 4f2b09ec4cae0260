"""Units at the end of names, and after numbers."""

import pytest

from docsieve.domain.schemas.fields import SchemaField
from docsieve.engines.local.vocabulary.targets import targets_of
from docsieve.engines.local.vocabulary.units import has_unit


@pytest.mark.parametrize(
    ("name", "words", "unit"),
    [
        ("total_weight_kg", ("total", "weight"), "kg"),
        ("expansionSquareFeet", ("expansion",), "sqft"),
        ("tax_year", ("tax", "year"), ""),
    ],
)
def test_a_number_whose_name_ends_in_a_unit_is_measured_in_it(name: str, words: tuple[str, ...], unit: str) -> None:
    (target,) = targets_of([SchemaField((name,), "number")])

    assert (target.type, target.words, target.unit) == ("number", words, unit)


def test_a_unit_is_a_whole_word_after_the_number() -> None:
    assert has_unit("kg", " kg.")
    assert has_unit("sqm", " m² of floor")
    assert not has_unit("m", " meeting rooms")


def test_a_price_is_not_in_its_unit() -> None:
    (target,) = targets_of([SchemaField(("price_per_kwh",), "number")])

    assert target.unit == ""
