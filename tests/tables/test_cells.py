"""Text that a spreadsheet would run."""

import pytest

from docsieve.tables.cells import SUSPECT, harmless


@pytest.mark.parametrize(
    "text", ["=1+1", "+1-800-555", "-A1", "@x", "\t=1", "\r=1", " =1", "\n=1", "＝1+1", "-1+cmd|' /C calc'!A0"]
)
def test_text_that_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert harmless(text) == f"'{text}"
    assert text[0] in SUSPECT


@pytest.mark.parametrize("text", ["-5", "-12.50", "5 - 3", "", "a=b", "  indented"])
def test_negative_numbers_and_other_text_stay_as_they_are(text: str) -> None:
    assert harmless(text) == text
