"""Names in the encodings that programs have used for them."""

import zlib
from pathlib import Path

import pytest

from docsieve.archives.names import decode
from tests.archives.making import raw_zip, unpack


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"plain.txt", "plain.txt"),
        ("Grüße.txt".encode(), "Grüße.txt"),
        ("Grüße.txt".encode("cp437"), "Grüße.txt"),
        ("résumé.txt".encode("cp437"), "résumé.txt"),
        ("請求書.pdf".encode("cp932"), "請求書.pdf"),
        ("テスト/見積.pdf".encode("cp932"), "テスト/見積.pdf"),
    ],
)
def test_the_encoding_of_a_name_is_recognized(raw: bytes, text: str) -> None:
    assert decode(raw) == text


def test_the_flag_for_utf_8_is_obeyed(tmp_path: Path) -> None:
    content = raw_zip(("Grüße".encode(), 0, 0, b"x", b"x"), flags=0x0800)

    assert list(unpack(tmp_path, content)[1]) == ["Grüße"]


def test_the_extra_field_with_the_name_in_unicode_wins_if_it_belongs_to_the_name() -> None:
    from docsieve.archives.zip.directory import UNICODE_PATH, Record
    from docsieve.archives.zip.reader import _name

    def named(crc: int) -> str:
        extra = b"\x01" + crc.to_bytes(4, "little") + "Грамота".encode()
        return _name(Record(b"GRAMOTA", 0, 0, 0, 0, 0, 0, 0, 0, 0, {UNICODE_PATH: extra}))

    assert named(zlib.crc32(b"GRAMOTA")) == "Грамота"
    assert named(1) == "GRAMOTA"
