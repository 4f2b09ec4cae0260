from pathlib import Path

import pytest

from docsieve.errors import CorruptDocument, PasswordRequired, PasswordWrong, UnsupportedType
from docsieve.parsers.office.ooxml.format import OOXML
from docsieve.parsers.port import ReadOptions
from tests.parsers.office.legacy.samples import (
    slide_streams,
    word_streams,
    word_streams_with_a_deletion,
    workbook_stream,
    write_ole,
)
from tests.parsers.office.reading import lines_of, pages_of, reading_of, sniffed, text_of
from tests.parsers.office.samples import EVERYONES_PASSWORD, paragraph, write_docx, write_encrypted


def test_an_encrypted_docx_opens_with_its_password_only(tmp_path: Path) -> None:
    plain = write_docx(tmp_path / "plain", paragraph("hidden words"), parts={"word/embeddings/a.pdf": b"%PDF-"})
    source = write_encrypted(tmp_path / "locked", "sesame", plain)

    reading = reading_of(source, password="sesame")

    assert [line.text for page in reading.pages for line in page.lines] == ["hidden words"]
    assert reading.media_type == "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    assert [found.name for found in reading.attachments] == ["a.pdf"]
    assert OOXML.read(source, ReadOptions(password="sesame")).page_count == 1
    with pytest.raises(PasswordRequired):
        reading_of(source)
    with pytest.raises(PasswordWrong):
        reading_of(source, password="open")


def test_a_file_with_the_default_password_needs_none(tmp_path: Path) -> None:
    plain = write_docx(tmp_path / "plain", paragraph("for all"))

    assert text_of(write_encrypted(tmp_path / "locked", EVERYONES_PASSWORD, plain)) == "for all"


def test_a_workbook_of_excel_97_is_read_with_formats_spans_and_split_strings(tmp_path: Path) -> None:
    source = write_ole(tmp_path / "xls", {"Workbook": workbook_stream()})

    [page] = pages_of(source)

    assert [line.text for line in page.lines] == ["Data", "Umfänß", "12.50% 2024-01-31", "#DIV/0! text"]
    assert page.tables[0].cells[0].column_span == 2


def test_a_document_of_word_97_is_read_by_its_pieces(tmp_path: Path) -> None:
    source = write_ole(tmp_path / "doc", word_streams())

    pages = pages_of(source)

    assert [line.text for line in pages[0].lines] == ["Café 7", "a b", "Žluťoučký[1]"]
    assert [line.text for line in pages[1].lines] == ["next", "[1] a note"]
    assert [cell.text for cell in pages[0].tables[0].cells] == ["a", "b"]


def test_deletions_tracked_by_word_97_are_not_read(tmp_path: Path) -> None:
    assert lines_of(write_ole(tmp_path / "doc", word_streams_with_a_deletion())) == ["kept here"]


def test_slides_of_powerpoint_97_are_read_as_they_were_last_saved(tmp_path: Path) -> None:
    [page] = pages_of(write_ole(tmp_path / "ppt", slide_streams()))

    assert [(line.text, line.role) for line in page.lines] == [("Títle", "heading"), ("new box", None)]


def test_slides_without_a_directory_still_give_their_texts(tmp_path: Path) -> None:
    streams = slide_streams()
    del streams["Current User"]

    assert "new box" in lines_of(write_ole(tmp_path / "ppt", streams))


def test_a_compound_file_of_another_kind_is_unsupported(tmp_path: Path) -> None:
    source = write_ole(tmp_path / "other", {"Something": b"else"})

    assert sniffed(source) == "application/x-ole-storage"
    with pytest.raises(UnsupportedType):
        reading_of(source)


def test_a_compound_file_that_is_cut_off_is_corrupt(tmp_path: Path) -> None:
    source = write_ole(tmp_path / "doc", word_streams())
    source.write_bytes(source.read_bytes()[:600])

    with pytest.raises(CorruptDocument):
        reading_of(source)
