"""Packages as other programs write them, and incomplete ones."""

import random
import struct
import zipfile
from pathlib import Path

import pytest

from docsieve.errors import CorruptDocument, UnsupportedType
from tests.parsers.office.reading import lines_of, reading_of, sniffed
from tests.parsers.office.samples import (
    paragraph,
    relations,
    shape,
    word_part,
    write_docx,
    write_package,
    write_pptx,
    write_zip,
)

_OFFICE = "application/vnd.openxmlformats-officedocument"


def test_a_package_that_begins_with_images_is_detected_from_their_folder(tmp_path: Path) -> None:
    plain, late = write_docx(tmp_path / "d", paragraph("late")), tmp_path / "late"
    with zipfile.ZipFile(plain) as found, zipfile.ZipFile(late, "w") as archive:
        archive.writestr("word/media/image1.jpeg", random.Random(1).randbytes(16_384))
        for name in found.namelist():
            archive.writestr(name, found.read(name))

    assert sniffed(late) == f"{_OFFICE}.wordprocessingml.document"
    assert lines_of(late) == ["late"]


def test_a_package_that_lost_its_main_part_is_damaged_and_not_of_another_kind(tmp_path: Path) -> None:
    stated = write_package(tmp_path / "a", "word/document.xml", f"{_OFFICE}.wordprocessingml.document.main+xml", {})
    shown = write_zip(tmp_path / "b", {"xl/styles.xml": "<styleSheet/>"})
    other = write_zip(tmp_path / "c", {"[Content_Types].xml": "<Types/>", "theme/theme1.xml": "<theme/>"})

    for source, reason in ((stated, CorruptDocument), (shown, CorruptDocument), (other, UnsupportedType)):
        with pytest.raises(reason):
            reading_of(source)


def test_texts_of_layouts_and_masters_are_read_once_and_prompts_never(tmp_path: Path) -> None:
    unseen = shape("7").replace("a:r>", "a:fld>") + shape("beside", x=20_000_000) + shape("above", y=-2_000_000)

    def sheet(text: str) -> str:
        return (
            '<p:x xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>'
            f"{shape(text)}{shape('Click here', kind='body')}{unseen}</p:spTree></p:cSld></p:x>"
        )

    source = write_pptx(tmp_path / "p", [shape("one"), shape("two")])
    with zipfile.ZipFile(source, "a") as archive:
        for number in (1, 2):
            related = relations({"rId1": ("slideLayout", "../slideLayouts/layout.xml")})
            archive.writestr(f"ppt/slides/_rels/slide{number}.xml.rels", related)
        archive.writestr("ppt/slideLayouts/layout.xml", sheet("Quarterly"))
        related = relations({"rId1": ("slideMaster", "../slideMasters/master.xml")})
        archive.writestr("ppt/slideLayouts/_rels/layout.xml.rels", related)
        archive.writestr("ppt/slideMasters/master.xml", sheet("Example Ltd"))

    assert lines_of(source) == ["one", "Quarterly", "Example Ltd", "two"]


def test_a_slide_that_hides_its_master_shows_nothing_of_it(tmp_path: Path) -> None:
    source = write_pptx(tmp_path / "p", [shape("one")])
    with zipfile.ZipFile(source) as found:
        parts: dict[str, str | bytes] = {name: found.read(name) for name in found.namelist()}
    slide = parts["ppt/slides/slide1.xml"]
    assert isinstance(slide, bytes)
    parts["ppt/slides/slide1.xml"] = slide.replace(b"<p:sld ", b'<p:sld showMasterSp="0" ')
    parts["ppt/slides/_rels/slide1.xml.rels"] = relations({"rId1": ("slideLayout", "layout.xml")})
    parts["ppt/slides/layout.xml"] = word_part(f"<x:cSld xmlns:x='x'><x:spTree>{_bare_shape()}</x:spTree></x:cSld>")

    assert lines_of(write_zip(tmp_path / "q", parts)) == ["one"]


def _bare_shape() -> str:
    return "<x:sp><x:txBody><x:p><x:r><x:t>behind</x:t></x:r></x:p></x:txBody></x:sp>"


def test_sheets_of_an_early_binary_workbook_are_found_by_their_relations(tmp_path: Path) -> None:
    text = "from a beta".encode("utf-16-le")
    sheet = _xlsb(0, struct.pack("<I", 0) + bytes(13)) + _xlsb(6, struct.pack("<III", 0, 0, len(text) // 2) + text)
    parts: dict[str, str | bytes] = {
        "xl/workbook.bin": b"",
        "xl/_rels/workbook.bin.rels": relations({"rId1": ("worksheet", "worksheets/sheet1.bin")}),
        "xl/worksheets/sheet1.bin": sheet,
    }
    kind = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"

    assert "from a beta" in lines_of(write_package(tmp_path / "x", "xl/workbook.bin", kind, parts))


def _xlsb(kind: int, content: bytes) -> bytes:
    return bytes([kind, len(content)]) + content
