"""Text in EBCDIC, as mainframes write it."""

from pathlib import Path

import pytest

from docsieve.parsers.port import ReadOptions
from docsieve.parsers.registry import detect, parser_for
from docsieve.parsers.text.encodings import decode

LETTER = "The quick brown fox jumps over the lazy dog.\nPay 12.50 to account 4711 before noon.\n" * 3


def read(path: Path, content: bytes) -> tuple[str | None, list[str]]:
    path.write_bytes(content)
    media_type = detect(content[:8192])
    pages = parser_for(media_type).read(path, ReadOptions()).pages if media_type else ()
    return media_type, [line.text for page in pages for line in page.lines]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\x85"])
@pytest.mark.parametrize("encoding", ["cp500", "cp037", "cp1140"])
def test_text_of_a_mainframe_is_read_line_by_line(tmp_path: Path, encoding: str, line_end: str) -> None:
    media_type, lines = read(tmp_path / "t", LETTER.replace("\n", line_end).encode(encoding))

    assert media_type == "text/plain"
    assert lines == LETTER.splitlines()


def test_a_list_of_a_mainframe_is_mostly_spaces(tmp_path: Path) -> None:
    _, lines = read(tmp_path / "t", f"{' ' * 60}Total{' ' * 20}12.50\n".encode("cp500"))

    assert [line.split() for line in lines] == [["Total", "12.50"]]


def test_other_bytes_are_not_text_of_a_mainframe() -> None:
    assert detect(bytes(range(256)) * 32) is None
    assert detect(b"\x40\x81" * 40 + bytes(range(0x30)) * 4) is None


def test_addresses_and_text_in_other_encodings_are_not_mainframe_text(tmp_path: Path) -> None:
    assert read(tmp_path / "a", "ü@ö@ä@ß@".encode("cp1252") * 3)[1] == ["ü@ö@ä@ß@" * 3]
    assert "@" in decode("ä@ö".encode("cp1252"))
    assert read(tmp_path / "b", "Пишите на: info@example.org\n".encode("cp1251"))[1] == ["Пишите на: info@example.org"]
