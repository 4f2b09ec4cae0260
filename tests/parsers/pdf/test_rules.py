"""Which drawings of a PDF page are taken for ruled lines, and where they are said to be."""

from pathlib import Path

import pypdfium2 as pdfium
import pytest

from docsieve.domain.pages.page import Box
from docsieve.parsers.pdf.rules import read_drawings
from docsieve.parsers.pdf.view import DisplayedPage
from tests.parsers.pdf.samples import write_by_hand

MEDIA = "/MediaBox [0 0 200 100]"


def rules_of(tmp_path: Path, content: str, page: str = MEDIA) -> list[Box]:
    document = pdfium.PdfDocument(write_by_hand(tmp_path / "drawn.pdf", content, page=page))
    try:
        return [
            (round(x0), round(y0), round(x1), round(y1))
            for x0, y0, x1, y1 in read_drawings(document[0], DisplayedPage.of(document[0])).rules
        ]
    finally:
        document.close()


def test_the_straight_parts_of_one_path_are_rules_and_its_curves_are_none(tmp_path: Path) -> None:
    bow = "20 20 m 60 80 100 80 180 20 c 180 10 l"

    assert rules_of(tmp_path, f"10 90 m 190 90 l {bow} 10 10 m 10 90 l S") == [(10, 10, 190, 10), (10, 10, 10, 90)]


def test_a_frame_that_is_closed_has_four_sides(tmp_path: Path) -> None:
    frame = rules_of(tmp_path, "10 10 m 190 10 l 190 90 l 10 90 l h S")

    assert frame == [(10, 90, 190, 90), (190, 10, 190, 90), (10, 10, 190, 10), (10, 10, 10, 90)]


def test_thin_boxes_filled_at_once_are_rules_and_backgrounds_are_none(tmp_path: Path) -> None:
    assert rules_of(tmp_path, "10 90 180 1 re 10 10 1 80 re 40 20 90 50 re f") == [(10, 9, 190, 10), (10, 10, 11, 90)]
    assert not rules_of(tmp_path, "10 10 180 80 re f")


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        ("1 0 0 1 5 5", [(15, 85, 95, 85), (15, 55, 15, 85)]),
        ("1 0 0 -1 0 100", [(10, 10, 90, 10), (10, 10, 10, 40)]),
        ("0 1 -1 0 100 0", [(90, 10, 90, 90), (60, 90, 90, 90)]),
    ],
)
def test_rules_are_where_their_drawing_is_moved_mirrored_or_turned_to(
    tmp_path: Path, matrix: str, expected: list[Box]
) -> None:
    assert rules_of(tmp_path, f"{matrix} cm 10 10 m 90 10 l 10 10 m 10 40 l S") == expected


def test_rules_are_cut_at_the_edge_of_the_page_and_those_beyond_it_are_none(tmp_path: Path) -> None:
    assert rules_of(tmp_path, "-50 50 m 300 50 l S 10 -20 m 90 -20 l S") == [(0, 49, 200, 51)]
