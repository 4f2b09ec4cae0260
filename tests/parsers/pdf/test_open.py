"""PDFs that open only with some help, and the reasons why others do not."""

from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest

from docsieve.errors import CorruptDocument, PasswordRequired, PasswordWrong
from docsieve.parsers.pdf.open import open_document
from tests.native import in_child
from tests.parsers.pdf.samples import write_by_hand, write_pages

WORD = "BT /F 24 Tf 72 700 Td (Quay) Tj ET"


def text_of(path: Path, password: str | None = None, *, repaired: bool = True) -> list[str]:
    """Of each page, in a child: native code may die of a damaged document."""
    return in_child(_text_of, path, password, repaired)


def _text_of(path: Path, password: str | None, repaired: bool) -> list[str]:
    document = open_document(path, password) if repaired else pdfium.PdfDocument(path)
    try:
        return [document[index].get_textpage().get_text_range() for index in range(len(document))]
    finally:
        document.close()


def page_count(path: Path) -> int:
    document = open_document(path, None)
    try:
        return len(document)
    finally:
        document.close()


def test_a_page_that_does_not_say_it_is_one_is_found_by_a_repair(tmp_path: Path) -> None:
    path = write_by_hand(tmp_path / "mistyped.pdf", WORD)
    path.write_bytes(path.read_bytes().replace(b"/Type /Page /", b"/Type /Pane /"))

    with pytest.raises(pdfium.PdfiumError):
        text_of(path, repaired=False)
    assert text_of(path) == ["Quay"]


def test_a_repair_that_brings_no_page_to_light_leaves_the_document_as_it_is(tmp_path: Path) -> None:
    path = write_by_hand(tmp_path / "hole.pdf", WORD, kids="[3 0 R 99 0 R]")

    assert in_child(page_count, path) == 2


def test_a_document_of_which_no_page_is_there_is_corrupt(tmp_path: Path) -> None:
    path = write_by_hand(tmp_path / "lost.pdf", WORD, kids="[99 0 R]")

    with pytest.raises(CorruptDocument, match="no readable pages"):
        text_of(path)


def test_a_document_for_the_holder_of_a_certificate_is_protected_and_not_corrupt(tmp_path: Path) -> None:
    path = write_by_hand(tmp_path / "certified.pdf", WORD)
    protection = b"/Encrypt << /Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s4 /V 1 /Length 40 /Recipients [<00>] >>"
    path.write_bytes(path.read_bytes().replace(b"trailer << ", b"trailer << " + protection + b" /ID [<00> <00>] "))

    with pytest.raises(PasswordRequired, match="certificate"):
        text_of(path)
    with pytest.raises(PasswordWrong, match="certificate"):
        text_of(path, "guess")


def test_a_password_opens_however_its_characters_are_spelled(tmp_path: Path) -> None:
    plain = write_pages(tmp_path / "plain.pdf", [["secret"]])
    locked = tmp_path / "locked.pdf"
    with pikepdf.open(plain) as document:
        document.save(locked, encryption=pikepdf.Encryption(user="Saffron 12", owner="keeper", R=6))

    assert text_of(locked, "Sa\ufb00ron\xa0\uff11\xad2")[0].strip() == "secret"
