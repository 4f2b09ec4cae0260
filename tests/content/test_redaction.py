"""Words that a redaction removes, and those that it leaves."""

from dataclasses import replace

import pytest

from docsieve.content.redaction import Finder, PlaceOnPage, Redaction
from docsieve.domain.pages.page import Code, Page
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


@pytest.mark.parametrize(
    "redaction",
    [
        Redaction(texts=("DE89 3704 0044",)),
        Redaction(patterns=("ACME",)),
        Redaction((PlaceOnPage(1, (70.0, 14.0, 171.0, 24.0)),)),
        Redaction((PlaceOnPage(1, (390.0, 390.0, 410.0, 410.0)),)),
    ],
    ids=["text", "pattern", "place of its words", "place of the code"],
)
def test_a_code_that_contains_a_removed_text_or_touches_a_place_is_removed(redaction: Redaction) -> None:
    paying = Code("qr_code", "BCD\nACME\nDE8937040044\nEUR12.50", (400.0, 400.0, 500.0, 500.0))
    other = Code("code_128", "NL-77", (100.0, 700.0, 200.0, 720.0))

    found = Finder(redaction).redacted(replace(_page(), codes=[paying, other]))

    x0, y0, x1, y1 = found.boxes[-1]
    assert x0 < 400 and y0 < 400 and x1 > 500 and y1 > 500
    assert not any(box[1] < 720 and box[3] > 700 and box[0] < 200 for box in found.boxes)
    assert found.page.codes == []


def test_a_text_that_only_a_code_has_is_found() -> None:
    finder = Finder(Redaction(texts=("ACME",)))
    finder.redacted(replace(_page(), codes=[Code("qr_code", "ACME", (400.0, 400.0, 500.0, 500.0))]))

    assert finder.unfound == set()
