"""A limit on the parts of a document is never kept in silence."""

import zipfile
from pathlib import Path

import pikepdf
import pytest

from docsieve.domain.pages.page import MAX_NAMES_LEFT_OUT, DocumentInfo, LeftOut
from docsieve.errors import TooLarge
from docsieve.parsers.data.formats import CSV
from docsieve.parsers.mail import msg, parts
from docsieve.parsers.mail.formats import EML, MBOX
from docsieve.parsers.office.legacy import workbook as legacy_workbook
from docsieve.parsers.office.legacy.format import OLE
from docsieve.parsers.office.ooxml.format import OOXML
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import MAX_ATTACHMENTS, Parser, ReadOptions
from docsieve.parsers.web import epub_package
from docsieve.parsers.web.formats import EPUB
from tests.parsers.mail.samples import mail
from tests.parsers.office.legacy.samples import workbook_stream, write_ole
from tests.parsers.office.samples import paragraph, write_docx
from tests.parsers.pdf.samples import write_pages
from tests.parsers.samples import chapter, write_epub

BEYOND = 25
NAMES = [f"file {number:04}.txt" for number in range(MAX_ATTACHMENTS + BEYOND)]
LEFT_OUT = [LeftOut("attachments", BEYOND, NAMES[MAX_ATTACHMENTS:][:MAX_NAMES_LEFT_OUT])]


def info_of(parser: Parser, path: Path) -> DocumentInfo:
    reading = parser.read(path, ReadOptions())
    assert list(reading.pages)
    assert len(list(reading.attachments)) == len(reading.info.attachments)
    return reading.info


def test_a_mail_names_the_attachments_beyond_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "mail"
    path.write_bytes(bytes(mail(attachments=tuple((name, b"text") for name in NAMES))))

    info = info_of(EML, path)

    assert [entry.name for entry in info.attachments] == NAMES[:MAX_ATTACHMENTS]
    assert info.left_out == LEFT_OUT


def test_the_mails_of_a_box_share_the_limit(tmp_path: Path) -> None:
    opening = b"From jm@example.org Mon Nov  2 10:00:00 2026\n"
    halves = NAMES[:600], NAMES[600:]
    mails = (bytes(mail(attachments=tuple((name, b"text") for name in names))) for names in halves)
    path = tmp_path / "box"
    path.write_bytes(b"\n".join(opening + content + b"\n" for content in mails))

    info = info_of(MBOX, path)

    assert [entry.name for entry in info.attachments] == NAMES[:MAX_ATTACHMENTS]
    assert info.left_out == LEFT_OUT


def test_a_mail_counts_the_parts_that_are_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_MAX_PARTS", 3)
    path = tmp_path / "mail"
    path.write_bytes(bytes(mail(attachments=tuple((name, b"text") for name in NAMES[:4]))))

    assert info_of(EML, path).left_out == [LeftOut("parts", 2)]


def test_a_pdf_names_the_attachments_beyond_the_limit(tmp_path: Path) -> None:
    path = write_pages(tmp_path / "files.pdf", [["Text"]])
    with pikepdf.open(path, allow_overwriting_input=True) as document:
        for name in NAMES:
            document.attachments[name] = b"text"
        document.save(path)

    info = info_of(PDF, path)

    assert [entry.name for entry in info.attachments] == NAMES[:MAX_ATTACHMENTS]
    assert info.left_out == LEFT_OUT


def test_an_office_file_names_the_embedded_documents_beyond_the_limit(tmp_path: Path) -> None:
    path = write_docx(tmp_path / "files.docx", paragraph("Text"))
    with zipfile.ZipFile(path, "a") as package:
        for name in NAMES:
            package.writestr(f"word/embeddings/{name}", b"text")

    info = info_of(OOXML, path)

    assert [entry.name for entry in info.attachments] == NAMES[:MAX_ATTACHMENTS]
    assert info.left_out == LEFT_OUT


def test_a_table_counts_the_cells_of_rows_that_are_too_long(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("\n".join(",".join(["1"] * 16_390) for _ in range(2)))

    assert info_of(CSV, path).left_out == [LeftOut("cells", 12)]


def test_a_book_names_the_chapters_beyond_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(epub_package, "_MAX_CHAPTERS", 1)
    path = write_epub(tmp_path / "book", {f"{number}.xhtml": chapter("<p>text</p>") for number in range(3)})

    assert info_of(EPUB, path).left_out == [LeftOut("chapters", 2, ["OEBPS/1.xhtml", "OEBPS/2.xhtml"])]


@pytest.mark.parametrize("limit", ["_MAX_SHEETS", "_MAX_STRINGS"])
def test_a_workbook_beyond_a_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(legacy_workbook, limit, 0)

    with pytest.raises(TooLarge, match="more than 0"):
        OLE.read(write_ole(tmp_path / "book.xls", {"Workbook": workbook_stream()}), ReadOptions())


def test_outlook_names_the_attachments_beyond_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attached = {"__substg1.0_3707001F": "late.txt".encode("utf-16-le"), "__substg1.0_37010102": b"text"}
    path = write_ole(
        tmp_path / "mail.msg",
        {"__properties_version1.0": bytes(32)},
        storage=("__attach_version1.0_#00000000", attached),
    )
    assert [entry.name for entry in info_of(OLE, path).attachments] == ["late.txt"]
    for module in (msg, parts):
        monkeypatch.setattr(module, "MAX_ATTACHMENTS", 0)

    info = info_of(OLE, path)

    assert info.attachments == []
    assert info.left_out == [LeftOut("attachments", 1, ["late.txt"])]
