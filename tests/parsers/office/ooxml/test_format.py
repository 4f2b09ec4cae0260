import zipfile
from pathlib import Path

import pytest

from docsieve.errors import UnsupportedType
from docsieve.parsers.office.ooxml.format import OOXML
from tests.parsers.office.reading import reading_of, sniffed
from tests.parsers.office.samples import paragraph, shape, write_docx, write_package, write_pptx, write_xlsx, write_zip

_OFFICE = "application/vnd.openxmlformats-officedocument"


def test_ooxml_types_are_distinguished(tmp_path: Path) -> None:
    assert sniffed(write_docx(tmp_path / "d", paragraph("x"))) == f"{_OFFICE}.wordprocessingml.document"
    assert sniffed(write_xlsx(tmp_path / "x", {"S": ""})) == f"{_OFFICE}.spreadsheetml.sheet"
    assert sniffed(write_pptx(tmp_path / "p", [shape("x")])) == f"{_OFFICE}.presentationml.presentation"


@pytest.mark.parametrize(
    ("content_type", "media_type"),
    [
        ("application/vnd.ms-word.document.macroEnabled.main+xml", "application/vnd.ms-word.document.macroEnabled.12"),
        (
            "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
            "application/vnd.ms-word.template.macroEnabled.12",
        ),
        (f"{_OFFICE}.wordprocessingml.template.main+xml", f"{_OFFICE}.wordprocessingml.template"),
    ],
)
def test_templates_and_macros_are_separate_types(tmp_path: Path, content_type: str, media_type: str) -> None:
    assert sniffed(write_package(tmp_path / "d", "word/document.xml", content_type, {})) == media_type


def test_a_package_with_an_unclear_head_is_detected_from_its_structure(tmp_path: Path) -> None:
    source = write_docx(tmp_path / "d", paragraph("late"))
    late = tmp_path / "late"
    with zipfile.ZipFile(source) as found, zipfile.ZipFile(late, "w") as archive:
        archive.writestr("docProps/app.xml", "<p/>")
        archive.writestr("docProps/thumbnail.jpeg", bytes(range(256)) * 64)
        for name in reversed(found.namelist()):
            archive.writestr(name, found.read(name))

    assert sniffed(late) == _OFFICE
    assert reading_of(late).media_type == f"{_OFFICE}.wordprocessingml.document"


@pytest.mark.parametrize(
    "parts",
    [
        {"a.txt": "x", "word/letter.txt": "y", "xl/picture.png": "z"},
        {"word/letter.docx": "x"},
        {"mimetype": "application/epub+zip", "content.opf": "x"},
        {"content.xml": "<x/>"},
    ],
)
def test_a_plain_zip_is_not_an_office_file(tmp_path: Path, parts: dict[str, str | bytes]) -> None:
    assert sniffed(write_zip(tmp_path / "z", parts)) is None


def test_a_package_that_is_not_a_document_is_unsupported(tmp_path: Path) -> None:
    source = write_zip(tmp_path / "z", {"[Content_Types].xml": "<Types/>", "_rels/.rels": "<r/>", "x.bin": "y"})

    with pytest.raises(UnsupportedType):
        reading_of(source)


@pytest.mark.parametrize("head", [b"PK\x03\x04", b"PK\x03\x04" + b"\xff" * 60, b"PK\x03\x04" * 2000])
def test_sniffing_a_broken_head_never_raises(head: bytes) -> None:
    assert OOXML.sniff(head) is None
