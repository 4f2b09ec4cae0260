"""Documents of Word and Excel from before 1997, in a container or without one."""

import struct
from pathlib import Path

import pytest

from docsieve.errors import CorruptDocument
from docsieve.parsers.office.legacy.format import OLE
from docsieve.parsers.port import ReadOptions
from tests.parsers.office.legacy.samples import write_ole
from tests.parsers.office.reading import lines_of, sniffed

_TEXT_AT = 0x300


def word_6(text: bytes, character_sets: list[int], ident: int = 0xA5DC, version: int = 0x65) -> bytes:
    """A document with its text, and a list of fonts in these character sets."""
    fonts = b"".join(b"\x0a\0\0\0" + bytes([number]) + b"\0Font\0" for number in character_sets)
    listed = struct.pack("<H", len(fonts) + 2) + fonts
    document = bytearray(_TEXT_AT)
    struct.pack_into("<HH", document, 0, ident, version)
    struct.pack_into("<II", document, 0x18, _TEXT_AT, _TEXT_AT + len(text))
    struct.pack_into("<I", document, 0x34, len(text))
    struct.pack_into("<II", document, 0xD0, _TEXT_AT + len(text), len(listed))
    return bytes(document) + text + listed


@pytest.mark.parametrize(
    ("text", "encoding", "character_set"),
    [
        ("Компания предлагает со склада в Москве", "cp1251", 204),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy", "cp1250", 238),
        ("Le résumé de l’été à la fenêtre", "mac_roman", 77),
        ("株式会社の請求書をお送りします", "cp932", 128),
    ],
)
def test_text_of_word_6_is_read_in_the_encoding_of_its_fonts(
    tmp_path: Path, text: str, encoding: str, character_set: int
) -> None:
    document = word_6(f"{text}\rend\r".encode(encoding), [0, 2, character_set])

    assert lines_of(write_ole(tmp_path / "doc", {"WordDocument": document})) == [text, "end"]


def test_an_unused_font_does_not_decide_the_encoding(tmp_path: Path) -> None:
    document = word_6("Größe und Preis für Bücher\r".encode("cp1252"), [0, 204])

    assert lines_of(write_ole(tmp_path / "doc", {"WordDocument": document})) == ["Größe und Preis für Bücher"]


def test_word_6_of_east_asia_is_read(tmp_path: Path) -> None:
    document = word_6(b"By post and fax\r", [0], ident=0xA699)

    assert lines_of(write_ole(tmp_path / "doc", {"WordDocument": document})) == ["By post and fax"]


def test_a_document_of_word_2_is_read_without_a_container(tmp_path: Path) -> None:
    source = tmp_path / "doc"
    source.write_bytes(word_6("Café\rnext\r".encode("cp1252"), [], ident=0xA5DB, version=0x2D))

    assert sniffed(source) == "application/msword"
    assert lines_of(source) == ["Café", "next"]


def _record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def excel_2() -> bytes:
    looks = b"\x00\x01\x00"
    return (
        _record(0x09, struct.pack("<HH", 2, 0x10))
        + _record(0x1E, b"\x07General")
        + _record(0x1E, b"\x050.00%")
        + _record(0x04, struct.pack("<HH3sB", 0, 0, b"\0\0\0", 4) + b"Caf\xe9")
        + _record(0x02, struct.pack("<HH3sH", 0, 1, b"\0\0\0", 7))
        + _record(0x03, struct.pack("<HH3sd", 1, 0, looks, 0.125))
        + _record(0x06, struct.pack("<HH3sBBBBHH", 1, 1, b"\0\0\0", 0, 0, 0, 0, 0, 0xFFFF) + bytes(4))
        + _record(0x07, b"\x04text")
        + _record(0x0A, b"")
    )


def excel_3_or_4(version: int) -> bytes:
    begin, style, formula = {3: (0x209, 0x243, 0x206), 4: (0x409, 0x443, 0x406)}[version]
    code = {3: _record(0x1E, b"\x050.00%"), 4: _record(0x41E, b"\0\0\x050.00%")}[version]
    return (
        _record(begin, struct.pack("<HHH", version, 0x10, 0))
        + code
        + _record(style, b"\0\0" + bytes(10))
        + _record(0x204, struct.pack("<HHHH", 0, 0, 0, 4) + b"Caf\xe9")
        + _record(0x203, struct.pack("<HHHd", 0, 1, 9, 7.0))
        + _record(0x203, struct.pack("<HHHd", 1, 0, 0, 0.125))
        + _record(formula, struct.pack("<HHHBBBBHH", 1, 1, 0, 0, 0, 0, 0, 0, 0xFFFF) + bytes(4))
        + _record(0x207, struct.pack("<H", 4) + b"text")
        + _record(0x0A, b"")
    )


@pytest.mark.parametrize("stream", [excel_2(), excel_3_or_4(3), excel_3_or_4(4)], ids=["2", "3", "4"])
def test_sheets_of_excel_2_to_4_are_read_with_their_formats(tmp_path: Path, stream: bytes) -> None:
    source = tmp_path / "xls"
    source.write_bytes(stream)

    assert sniffed(source) == "application/vnd.ms-excel"
    assert lines_of(source) == ["Café 7", "12.50% text"]


def test_the_sheets_of_an_excel_4_workbook_have_their_names(tmp_path: Path) -> None:
    source = tmp_path / "xls"
    named = _record(0x8F, struct.pack("<IB", 0, 5) + b"Costs")
    source.write_bytes(_record(0x409, struct.pack("<HHH", 4, 0x100, 0)) + named + excel_3_or_4(4) + _record(0x0A, b""))

    assert lines_of(source)[0] == "Costs"


@pytest.mark.parametrize("kept", range(8, 120, 9))
def test_an_early_sheet_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path, kept: int) -> None:
    source = tmp_path / "xls"
    source.write_bytes(excel_2()[:kept])
    try:
        pages = list(OLE.read(source, ReadOptions()).pages)
    except CorruptDocument:
        pages = []

    assert len(pages) <= 1


def test_a_beginning_of_a_later_version_without_a_kind_is_not_a_sheet(tmp_path: Path) -> None:
    source = tmp_path / "xls"
    source.write_bytes(excel_3_or_4(3) + _record(0x0809, b"\0\0"))

    assert lines_of(source) == ["Café 7", "12.50% text"]


@pytest.mark.parametrize(
    "head", [b"\x09\x00\x04\x00", b"\x09\x00\x04\x00notes of mine, tab first", b"\x09\x04\x06\x00"]
)
def test_four_bytes_alone_are_not_a_sheet(head: bytes) -> None:
    assert OLE.sniff(head) is None
