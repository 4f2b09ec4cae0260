"""The vocabulary of doubts is closed, and documented."""

import re
from pathlib import Path
from typing import get_args

import pytest

from docsieve.domain.doubts import SENTENCES, DoubtCode, sentence

EXTRACTION = (Path(__file__).parents[2] / "docs" / "extraction.md").read_text()


def test_every_code_has_a_sentence() -> None:
    assert tuple(SENTENCES) == get_args(DoubtCode)


@pytest.mark.parametrize("code", get_args(DoubtCode))
def test_every_code_is_in_the_documentation_with_its_sentence(code: DoubtCode) -> None:
    rows = re.findall(rf"^\| `{code}` \| ([^|]+) \|", EXTRACTION, re.MULTILINE)
    assert rows == [SENTENCES[code]]


def test_long_quotes_are_shortened() -> None:
    said = sentence("near_miss", other="word " * 100_000)
    assert len(said) < 90 and "…" in said


def test_braces_in_a_document_are_quoted_as_they_are() -> None:
    assert sentence("near_miss", other="{code}") == "'{code}' was close, but not certain enough."
