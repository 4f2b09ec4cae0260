from pathlib import Path

import pytest

from tests.parsers.office.reading import lines_of, pages_of
from tests.parsers.office.samples import shape, write_pptx

_INCH = 914_400


def test_every_slide_is_a_page_with_its_title_first(tmp_path: Path) -> None:
    slides = [shape("body", y=0) + shape("Title", y=9 * _INCH, kind="title"), shape("second")]
    pages = pages_of(write_pptx(tmp_path / "p", slides))

    assert [page.text for page in pages] == ["Title\nbody", "second"]
    assert pages[0].lines[0].role == "heading"


def test_shapes_are_read_from_top_to_bottom_and_from_left_to_right(tmp_path: Path) -> None:
    slide = (
        shape("below", x=0, y=5 * _INCH)
        + shape("right", x=6 * _INCH, y=_INCH)
        + shape("left", x=_INCH, y=_INCH + 100_000)
    )

    assert lines_of(write_pptx(tmp_path / "p", [slide])) == ["left", "right", "below"]


def test_shapes_in_a_group_have_the_position_of_the_group(tmp_path: Path) -> None:
    frame = (
        f'<p:grpSpPr><a:xfrm><a:off x="0" y="{4 * _INCH}"/><a:ext cx="{_INCH}" cy="{_INCH}"/>'
        '<a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/></a:xfrm></p:grpSpPr>'
    )
    slide = f"<p:grpSp>{frame}{shape('grouped', y=50)}</p:grpSp>" + shape("above", y=_INCH)

    assert lines_of(write_pptx(tmp_path / "p", [slide])) == ["above", "grouped"]


def test_tables_keep_their_spans_and_notes_are_named(tmp_path: Path) -> None:
    def cell(text: str, attributes: str = "") -> str:
        return f"<a:tc {attributes}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"

    wide, merged = 'gridSpan="2"', 'hMerge="1"'
    rows = f"<a:tr>{cell('head', wide)}{cell('', merged)}</a:tr><a:tr>{cell('a')}{cell('b')}</a:tr>"
    slide = f"<p:graphicFrame><a:graphic><a:tbl><a:tblPr firstRow='1'/>{rows}</a:tbl></a:graphic></p:graphicFrame>"

    [page] = pages_of(write_pptx(tmp_path / "p", [slide], notes={1: "say hello"}))

    assert [(cell.text, cell.column_span, cell.header) for cell in page.tables[0].cells] == [
        ("head", 2, True),
        ("a", 1, False),
        ("b", 1, False),
    ]
    assert page.lines[-1].text == "Notes: say hello"


@pytest.mark.parametrize(
    ("size", "points"),
    [
        ('cx="12192000" cy="6858000"', (960, 540)),
        ('cx="6858000" cy="9144000"', (540, 720)),
        ("", (720, 540)),
        ('cx="1" cy="-5"', (720, 540)),
        ('cx="9144000" cy="914400"', (720, 540)),
    ],
)
def test_a_slide_has_the_size_that_the_presentation_states(
    tmp_path: Path, size: str, points: tuple[float, float]
) -> None:
    [page] = pages_of(write_pptx(tmp_path / "p", [shape("text")], size=size))

    assert (page.width, page.height) == points


def numbered(text: str, kind: str = "") -> str:
    placeholder = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else ""
    field = '<a:fld id="{0}" type="slidenum"><a:rPr/><a:t>\u2039#\u203a</a:t></a:fld>'
    return (
        f"<p:sp><p:nvSpPr>{placeholder}</p:nvSpPr><p:spPr/><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r>{field}</a:p>"
        "</p:txBody></p:sp>"
    )


def test_the_number_of_a_slide_is_that_of_the_show(tmp_path: Path) -> None:
    slides = [shape("one", y=0) + numbered("Slide ", "sldNum"), numbered("Slide ", "sldNum")]

    assert lines_of(write_pptx(tmp_path / "p", slides)) == ["one", "Slide 1", "Slide 2"]
    assert lines_of(write_pptx(tmp_path / "q", slides, first=7)) == ["one", "Slide 7", "Slide 8"]


def test_a_number_that_the_master_writes_is_on_every_slide(tmp_path: Path) -> None:
    path = write_pptx(
        tmp_path / "p", [shape("one"), shape("two")], master=numbered("Page ") + numbered("No ", "sldNum")
    )

    assert lines_of(path) == ["one", "Page 1", "two", "Page 2"]


def test_a_date_that_the_master_writes_is_read_as_it_was_last_shown(tmp_path: Path) -> None:
    dated = shape("4 May 2024").replace("<a:r>", '<a:fld type="datetime4">').replace("</a:r>", "</a:fld>")
    unknown = shape("7").replace("<a:r>", '<a:fld type="other">').replace("</a:r>", "</a:fld>")

    path = write_pptx(tmp_path / "p", [shape("one"), shape("two")], master=dated + unknown)

    assert lines_of(path) == ["one", "4 May 2024", "two"]
