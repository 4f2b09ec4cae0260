"""A document that says it is locked asks for its password, whatever its lock is worth."""

import struct
from pathlib import Path

import pytest

from docsieve.errors import CorruptDocument, PasswordRequired, UnsupportedType
from tests.parsers.office.legacy.samples import write_ole
from tests.parsers.office.reading import reading_of


def locked_workbook(version: int) -> bytes:
    """A workbook that begins with its lock, of which there is nothing but the record."""
    return struct.pack("<HHHH", 0x0809, 4, version, 5) + struct.pack("<HHHHH", 0x2F, 6, 0, 1, 2)


def package_locked_by(information: bytes) -> dict[str, bytes]:
    return {"EncryptionInfo": information, "EncryptedPackage": struct.pack("<Q", 5) + b"12345"}


LOCKS = {
    "Excel 5": {"Book": locked_workbook(0x0500)},
    "Excel 97, damaged": {"Workbook": b"\x00\x00\x00\x00" + locked_workbook(0x0600)},
    "package, damaged": package_locked_by(b"\x04\x00\x04\x00\x40\x00\x00\x00<encryption/>"),
    "package, not whole blocks": package_locked_by(
        struct.pack("<HHII", 3, 2, 0x24, 32)
        + struct.pack("<IIIIIIII", 0x24, 0, 0x660E, 0x8004, 128, 0x18, 0, 0)
        + struct.pack("<I16s16sI32s", 16, b"s" * 16, b"v" * 16, 20, b"h" * 32)
    ),
}


@pytest.mark.parametrize("streams", LOCKS.values(), ids=LOCKS)
def test_a_lock_that_cannot_be_opened_still_asks_for_a_password(tmp_path: Path, streams: dict[str, bytes]) -> None:
    source = write_ole(tmp_path / "locked", streams)

    with pytest.raises(PasswordRequired):
        reading_of(source)
    with pytest.raises((CorruptDocument, UnsupportedType)):
        reading_of(source, password="sesame")
