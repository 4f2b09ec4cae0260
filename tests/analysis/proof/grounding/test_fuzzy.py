"""Approximate search, compared with the slow textbook algorithm."""

from hypothesis import given
from hypothesis import strategies as st

from docsieve.analysis.proof.grounding.fuzzy import near_matches, same_digits


def distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@given(st.text("abc", min_size=8, max_size=24), st.text("abc", max_size=20), st.text("abc", max_size=20), st.data())
def test_a_text_with_a_changed_letter_is_found_with_its_true_distance(
    pattern: str, before: str, after: str, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(pattern) - 1))
    changed = pattern[:place] + "x" + pattern[place + 1 :]
    text = before + changed + after
    found = near_matches(pattern, text, most_errors=1)
    assert found
    for start, end, errors in found:
        assert distance(pattern, text[start:end]) == errors <= 1


def test_what_differs_too_much_is_not_found() -> None:
    assert near_matches("restaurant", "something else entirely", most_errors=1) == []


def test_the_end_of_a_page_is_not_passed() -> None:
    assert near_matches("abcdefghij", "abcde\nfghij", most_errors=0) == []


def test_digits_must_agree_but_for_letters_that_look_like_them() -> None:
    assert same_digits("lot3", "lot3")
    assert same_digits("l0t3", "lot3")
    assert not same_digits("lot3", "lot4")


def test_a_changed_letter_near_the_beginning_of_like_letters_is_found() -> None:
    assert near_matches("aaaaaaaa", "axaaaaaa", most_errors=1) == [(0, 8, 1)]
