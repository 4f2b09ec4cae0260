"""Figures in the documents come from a run, not from a hand."""

import pytest
import typer
from benchmarks.quality import DOCUMENT, Measured, parts_of, quoted


def test_figures_are_written_into_their_places_and_nothing_else_changes() -> None:
    text = "before\n<!-- a -->\nold\n<!-- end of a -->\nafter\n"
    once = quoted(text, {"a": ["| x |", "| y |"]})
    assert once == "before\n<!-- a -->\n\n| x |\n| y |\n\n<!-- end of a -->\nafter\n"
    assert quoted(once, {"a": ["| x |", "| y |"]}) == once


def test_a_document_without_the_place_is_refused() -> None:
    with pytest.raises(typer.BadParameter, match="no place for b"):
        quoted("<!-- b -->\n", {"b": []})


@pytest.mark.parametrize("name", list(parts_of(Measured(), [])))
def test_the_document_has_a_place_for_each_part(name: str) -> None:
    assert quoted(DOCUMENT.read_text(), {name: ["x"]})
