"""Damaged documents, read in a child: native code may die of one."""

from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest

from docsieve.domain.pages.page import Bookmark, Page
from docsieve.errors import CorruptDocument, EmptyDocument, NotFound, PasswordRequired
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions
from tests.native import in_child
from tests.parsers.pdf.samples import write_by_hand, write_pages

WORD = "BT /F 20 Tf 150 300 Td (Quay) Tj ET"


def read(path: Path) -> list[Page]:
    return in_child(pages_of, path)


def pages_of(path: Path) -> list[Page]:
    return list(PDF.read(path, ReadOptions()).pages)


def open_alone(path: Path) -> None:
    """Without our help."""
    pdfium.PdfDocument(path).close()


def bookmarks_of(path: Path) -> list[Bookmark]:
    return list(PDF.read(path, ReadOptions()).info.bookmarks)


def test_a_document_that_is_not_a_pdf_inside_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "broken.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing more\n")

    with pytest.raises(CorruptDocument):
        read(path)


def test_a_document_whose_trailer_is_damaged_is_repaired(tmp_path: Path) -> None:
    path = write_pages(tmp_path / "damaged.pdf", [["still here"]])
    path.write_bytes(path.read_bytes().replace(b"trailer\n<<", b"trailer\n"))

    with pytest.raises(pdfium.PdfiumError):
        in_child(open_alone, path)
    assert read(path)[0].text == "still here"


def test_a_document_without_pages_is_empty_also_after_one_that_wanted_a_password(tmp_path: Path) -> None:
    locked = write_pages(tmp_path / "locked.pdf", [["secret"]], password="open sesame")
    empty = write_by_hand(tmp_path / "empty.pdf", WORD, kids="[]")
    with pytest.raises(PasswordRequired):
        read(locked)

    with pytest.raises(EmptyDocument, match="no pages"):
        read(empty)


def test_a_page_that_fails_says_so_and_the_others_are_read(tmp_path: Path) -> None:
    path = write_by_hand(tmp_path / "hole.pdf", WORD, kids="[99 0 R 3 0 R]")

    first, second = read(path)

    assert first.error
    assert not first.lines
    assert second.error is None
    assert second.text == "Quay"


def test_bookmarks_that_lead_in_a_circle_end(tmp_path: Path) -> None:
    path = tmp_path / "circle.pdf"
    with pikepdf.open(write_pages(tmp_path / "plain.pdf", [["one"]])) as document:
        first = document.make_indirect(pikepdf.Dictionary(Title=pikepdf.String("First")))
        second = document.make_indirect(pikepdf.Dictionary(Title=pikepdf.String("Second"), Next=first))
        first.Next, first.First = second, first
        document.Root.Outlines = document.make_indirect(pikepdf.Dictionary(First=first))
        document.save(path)

    bookmarks = in_child(bookmarks_of, path)

    assert [(bookmark.title, bookmark.page) for bookmark in bookmarks] == [("First", None), ("Second", None)]


def test_pages_that_are_not_there_or_damaged_are_said_to_be_so(tmp_path: Path) -> None:
    path = write_pages(tmp_path / "one.pdf", [["one"]])
    hole = write_by_hand(tmp_path / "hole.pdf", "", kids="[99 0 R 3 0 R]")

    with pytest.raises(NotFound):
        in_child(PDF.render, path, Page(2, 595, 842), 100, ReadOptions())
    with pytest.raises(CorruptDocument):
        in_child(PDF.render, hole, Page(1, 595, 842), 100, ReadOptions())
