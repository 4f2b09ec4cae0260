"""Marks say where a fact is in a text, and are never drawn."""

from evaluations.generated.marks import marked, parts, plain


def test_a_mark_opens_a_fact_and_closes_it() -> None:
    text = f"due on {marked('March 12', 5)}, {marked('2026', 0)}"
    assert plain(text) == "due on March 12, 2026"
    assert list(parts(text)) == [
        ("due on ", None),
        ("", 5),
        ("March 12", None),
        ("", -1),
        (", ", None),
        ("", 0),
        ("2026", None),
        ("", -1),
    ]


def test_a_fact_without_text_has_no_mark() -> None:
    assert marked("", 3) == ""


def test_facts_beyond_the_last_mark_stay_unmarked() -> None:
    assert marked("x", 10_000) == "x"
