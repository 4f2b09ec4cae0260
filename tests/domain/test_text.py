import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from docsieve.domain.text import clean, clean_json


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        ("plain ä 你", "plain ä 你"),
        ("a\x00b\x07c\x9fd", "abcd"),
        ("tab\tand\r\nlines", "tab\tand\r\nlines"),
        ("\ud835\udc4e", "\U0001d44e"),
        ("a\ud835b\udc4ec", "abc"),
        ("\ufeffmark\ufffe", "mark"),
    ],
)
def test_what_no_store_accepts_is_dropped_and_the_rest_stays(dirty: str, expected: str) -> None:
    assert clean(dirty) == expected


@given(st.text(st.characters(codec=None)))
def test_cleaned_text_can_be_encoded_and_holds_no_nul(text: str) -> None:
    assert b"\x00" not in clean(text).encode("utf-8")
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        ("a\0b", "ab"),
        ('"a\0b\\', '"ab\\'),
        ("a\ud800b", "ab"),
        ('"quoted" \\ text', '"quoted" \\ text'),
        ("plain", "plain"),
    ],
)
def test_json_and_value_lack_the_characters_that_postgresql_refuses(dirty: str, expected: str) -> None:
    value, payload = clean_json(TypeAdapter(list[str]), [dirty])

    assert value == [expected]
    assert json.loads(payload) == [expected]
