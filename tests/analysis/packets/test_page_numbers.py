"""Printed page numbers."""

import pytest

from docsieve.analysis.packets.page_numbers import PageNumber, page_number
from docsieve.domain.pages.page import Line, Page


def page(text: str, *, y: float = 810.0) -> Page:
    return Page(
        1, 595.0, 842.0, [Line("Some text of the page.", (60, 400, 300, 412)), Line(text, (400, y, 500, y + 10))]
    )


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Page 2 of 3", PageNumber(2, 3)),
        ("Seite 2 von 3", PageNumber(2, 3)),
        ("Página 2 de 3", PageNumber(2, 3)),
        ("page 2 sur 3", PageNumber(2, 3)),
        ("2/3", PageNumber(2, 3)),
        ("Form 8 (2020) Page 4", PageNumber(4)),
        ("第 2 页 共 3 页", PageNumber(2, 3)),
        ("- 12 -", PageNumber(12, bare=True)),
        ("7", PageNumber(7, bare=True)),
    ],
)
def test_a_page_number_in_the_margin_is_read(text: str, number: PageNumber) -> None:
    assert page_number(page(text)) == number


@pytest.mark.parametrize("text", ["Page 5 of 3", "12/2023 and more", "Homepage 4", "No. 4711", "Page 0"])
def test_what_only_looks_like_one_is_not(text: str) -> None:
    assert page_number(page(text)) is None


def test_a_number_alone_in_the_middle_of_a_page_is_not_a_page_number() -> None:
    assert page_number(page("7", y=400.0)) is None


def test_a_complete_page_number_counts_anywhere() -> None:
    assert page_number(page("Page 2 of 3", y=300.0)) == PageNumber(2, 3)
    assert page_number(page("see page 2", y=300.0)) is None
