from pathlib import Path

import pypdfium2 as pdfium
import pytest
from reportlab.pdfgen.canvas import Canvas

from docsieve.domain.pages.page import AttachmentEntry, Bookmark
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.pdf.info import iso_date
from docsieve.parsers.port import ReadOptions
from tests.parsers.pdf.samples import write_pages


def test_title_author_and_bookmarks_of_a_document_are_read(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    canvas = Canvas(str(path))
    canvas.setTitle("On Engines")
    canvas.setAuthor("A. Lovelace")
    for number, (title, level) in enumerate([("One", 0), ("One A", 1), ("Two", 0)]):
        canvas.bookmarkPage(str(number))
        canvas.addOutlineEntry(title, str(number), level)
        canvas.drawString(72, 700, title)
        canvas.showPage()
    canvas.save()

    info = PDF.read(path, ReadOptions()).info

    assert (info.title, info.author) == ("On Engines", "A. Lovelace")
    assert info.created is not None
    assert "producer" in info.properties
    assert info.bookmarks == [Bookmark("One", 0, 1), Bookmark("One A", 1, 2), Bookmark("Two", 0, 3)]


def with_attachments(path: Path, files: dict[str, bytes]) -> Path:
    plain = write_pages(path.with_suffix(".plain"), [["Cover sheet"]])
    with pdfium.PdfDocument(plain) as document:
        for name, content in files.items():
            document.new_attachment(name).set_data(content)
        document.save(path)
    return path


def test_attachments_are_listed_at_once_and_read_when_asked_for(tmp_path: Path) -> None:
    path = with_attachments(tmp_path / "mail.pdf", {"factur-x.xml": b"<invoice/>", "note.txt": b"Hello"})

    reading = PDF.read(path, ReadOptions())
    listed = list(reading.info.attachments)
    pages = list(reading.pages)
    attachments = list(reading.attachments)

    assert len(pages) == 1
    assert [(entry.name, entry.size) for entry in listed] == [("factur-x.xml", 10), ("note.txt", 5)]
    assert all(isinstance(entry, AttachmentEntry) for entry in listed)
    assert [(file.name, file.content) for file in attachments] == [
        ("factur-x.xml", b"<invoice/>"),
        ("note.txt", b"Hello"),
    ]


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("D:20240131120000+01'00'", "2024-01-31T12:00:00+01:00"),
        ("D:20240131120000Z", "2024-01-31T12:00:00+00:00"),
        ("D:2024", "2024-01-01T00:00:00"),
        ("20240131", "2024-01-31T00:00:00"),
        ("D:20241399", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_of_pdf_become_iso_dates_where_they_are_dates(written: str, iso: str | None) -> None:
    assert iso_date(written) == iso
