"""Signatures that are separate from the signed document."""

from pathlib import Path

import pytest

from docsieve.errors import UnsupportedType
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.signed.format import SIGNED


def test_a_signature_without_a_document_is_not_damaged(tmp_path: Path) -> None:
    algorithms, kind = b"\x31\x00", b"\x30\x0b\x06\x09" + bytes.fromhex("2a864886f70d010701")
    signed = b"\x30\x80\x02\x01\x01" + algorithms + kind + b"\x31\x00\x00\x00"
    source = tmp_path / "signature"
    source.write_bytes(b"\x30\x80\x06\x09" + bytes.fromhex("2a864886f70d010702") + b"\xa0\x80" + signed + bytes(4))

    assert SIGNED.sniff(source.read_bytes()) == "application/pkcs7-mime"
    with pytest.raises(UnsupportedType):
        SIGNED.read(source, ReadOptions())
