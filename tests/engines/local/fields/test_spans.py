"""Typed values are found as they are written."""

import pytest

from docsieve.engines.local.fields.spans import spans_of
from docsieve.engines.local.page.view import view
from tests.engines.local.drawing import material, written


def identifiers(text: str) -> list[str]:
    """Of the best quality."""
    return [span.text for span in spans_of(view(material(written(text)))).of("id") if span.quality == 1.0]


@pytest.mark.parametrize("number", ["5503 2217", "1EMH0045 6721 88", "287 441 903"])
def test_an_identifier_in_groups_is_found_as_a_whole(number: str) -> None:
    assert identifiers(f"Meter number: {number}") == [number]


@pytest.mark.parametrize("text", ["12 4 8", "Order 4711 of 250 pieces", "3 2026"])
def test_numbers_side_by_side_are_not_one_identifier(text: str) -> None:
    assert text not in identifiers(text)
    assert not any(" " in each for each in identifiers(text))
