"""Parts that Word takes into a document when it opens it."""

from pathlib import Path

import pytest

from tests.parsers.office.reading import lines_of
from tests.parsers.office.samples import paragraph, relations, write_docx

SAVED_PAGE = (
    b'MIME-Version: 1.0\nSubject: import\nContent-Type: multipart/related; boundary="b"\n\n--b\n'
    b"Content-Type: text/html; charset=utf-8\n\n<p>taken in</p>\n--b\nContent-Type: image/png\n"
    b"Content-Location: a.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--b--\n"
)


def importing(path: Path, content: bytes, name: str = "chunk") -> Path:
    body = paragraph("before") + '<w:altChunk r:id="rId9"/>' + paragraph("after")
    related = relations({"rId9": ("aFChunk", name)})
    return write_docx(path, body, parts={"word/_rels/document.xml.rels": related, f"word/{name}": content})


@pytest.mark.parametrize(
    "content",
    [b"<html><body><p>taken in</p></body></html>", SAVED_PAGE, rb"{\rtf1\ansi taken in\par}", b"taken in\n"],
    ids=["page", "saved page", "rich text", "plain text"],
)
def test_imported_content_is_read_in_its_place(tmp_path: Path, content: bytes) -> None:
    assert lines_of(importing(tmp_path / "d", content)) == ["before", "taken in", "after"]


def test_a_document_inside_a_document_is_read(tmp_path: Path) -> None:
    inner = write_docx(tmp_path / "inner", paragraph("taken in")).read_bytes()

    assert lines_of(importing(tmp_path / "d", inner)) == ["before", "taken in", "after"]


def test_documents_inside_documents_come_to_an_end(tmp_path: Path) -> None:
    content = b"deep"
    for _ in range(9):
        content = importing(tmp_path / "d", content).read_bytes()

    assert "deep" not in lines_of(tmp_path / "d")
    assert lines_of(tmp_path / "d").count("before") == 4


def test_damaged_imported_content_does_not_affect_the_rest(tmp_path: Path) -> None:
    assert lines_of(importing(tmp_path / "d", b"PK\x03\x04 damaged")) == ["before", "after"]
