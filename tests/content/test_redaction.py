"""Words that a redaction removes, and those that it leaves."""

import pytest

from docsieve.content.redaction import Finder, PlaceOnPage, Redaction
from docsieve.domain.pages.page import Page
from docsieve.errors.batches import PatternInvalid
from tests.content.pages import line, page


def _page() -> Page:
    return page(
        line("IBAN DE89 3704 0044", 1),
        line("Ann pays annually.", 2),
        line("Phone +49 40 5550", 3),
        line("see ann", 4),
    )


def _left(redaction: Redaction) -> list[str]:
    return [each.text for each in Finder(redaction).redacted(_page()).page.lines]


def test_a_text_is_removed_in_any_case_and_spacing_but_not_within_longer_words() -> None:
    assert _left(Redaction(texts=("DE8937040044",))) == ["IBAN", "Ann pays annually.", "Phone +49 40 5550", "see ann"]
    assert _left(Redaction(texts=("ann",))) == ["IBAN DE89 3704 0044", "pays annually.", "Phone +49 40 5550", "see"]


def test_a_pattern_removes_the_words_it_touches() -> None:
    assert _left(Redaction(patterns=(r"\+\d[\d ]+",))) == [
        "IBAN DE89 3704 0044",
        "Ann pays annually.",
        "Phone",
        "see ann",
    ]


def test_a_place_removes_the_words_under_it() -> None:
    box = (70.0, 14.0, 121.0, 24.0)
    found = Finder(Redaction((PlaceOnPage(1, box), PlaceOnPage(2, (0, 0, 999, 999))))).redacted(_page())
    assert found.page.lines[0].text == "IBAN 0044"
    assert found.boxes[0] == box


def test_texts_that_are_nowhere_are_known() -> None:
    finder = Finder(Redaction(texts=("ann", "Bob"), also=("Carl",)))
    finder.redacted(_page())
    assert finder.unfound == {"Bob"}


def test_what_is_not_a_pattern_is_refused() -> None:
    with pytest.raises(PatternInvalid):
        Redaction(patterns=("(",)).check()
