"""A container is never taken for what its first kilobyte happens to hold."""

import bz2
import gzip
import io
import lzma
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import pytest

from docsieve.parsers.port import HEAD_BYTES
from docsieve.parsers.registry import detect
from tests.parsers.signed.test_content import sign

PDF = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"

EMBEDDED = {
    "pdf": PDF,
    "html": b"<!DOCTYPE html>\n<html><head><title>T</title></head><body><p>Text</p></body></html>\n",
    "xml": b'<?xml version="1.0"?>\n<order><id>1</id></order>\n',
    "rtf": b"{\\rtf1\\ansi Text\\par}\n",
    "mail": b"From: a@example.org\nTo: b@example.org\nSubject: S\nDate: Mon, 2 Jan 2026 10:00:00 +0000\n\nText\n",
    "mbox": b"From a@example.org Mon Jan  2 10:00:00 2026\nFrom: a@example.org\nSubject: S\n\nText\n",
    "json": b'{"a": 1}\n',
    "csv": b"a,b,c\n1,2,3\n4,5,6\n",
    "text": b"Just some words.\n",
}

UNREAD = {
    "compress": b"\x1f\x9d\x90",
    "lz4": b"\x04\x22\x4d\x18\x64",
    "rar": b"Rar!\x1a\x07\x01\x00",
    "cab": b"MSCF" + bytes(4),
    "ar": b"!<arch>\nbilling.pdf/    0           0     0     644     46        `\n",
    "cpio": b"070701" + b"0" * 104,
    "tar": b"billing.pdf".ljust(257, b"\x00") + b"ustar\x0000" + bytes(247),
    "elf": b"\x7fELF\x02\x01\x01" + bytes(9),
    "mz": b"MZ\x90\x00\x03\x00\x00\x00",
    "mach-o": b"\xcf\xfa\xed\xfe\x07\x00\x00\x01",
    "java": b"\xca\xfe\xba\xbe\x00\x00\x00\x34",
    "sqlite": b"SQLite format 3\x00\x10\x00",
    "wave": b"RIFF\x24\x08\x00\x00WAVE",
    "mp4": b"\x00\x00\x00\x18ftypisom",
    "mp3": b"ID3\x04\x00\x00\x00\x00\x00\x23",
    "ogg": b"OggS\x00\x02",
    "wasm": b"\x00asm\x01\x00\x00\x00",
}

READ = {
    "application/zip": b"PK\x03\x04\x14\x00\x00\x00\x00\x00",
    "application/gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x01\x2e\x00\xd1\xff",
    "application/x-7z-compressed": b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(24),
    "application/x-bzip2": b"BZh91AY&SY",
    "application/x-xz": b"\xfd7zXZ\x00\x00\x04",
    "application/zstd": b"\x28\xb5\x2f\xfd\x24",
    "image/png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "image/jpeg": b"\xff\xd8\xff\xfe\x00\x80",
    "image/gif": b"GIF89a\x01\x00\x01\x00",
    "image/tiff": b"II\x2a\x00\x08\x00\x00\x00",
    "image/webp": b"RIFF\x24\x08\x00\x00WEBP",
    "image/vnd.adobe.photoshop": b"8BPS\x00\x01",
    "application/x-ole-storage": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504),
    "application/rtf": b"{\\rtf1\\ansi{\\*\\comment\n",
    "message/rfc822": b"From: a@example.org\nTo: b@example.org\nDate: Mon, 2 Jan 2026 10:00:00 +0000\n\n",
    "application/mbox": b"From a@example.org Mon Jan  2 10:00:00 2026\nFrom: a@example.org\nSubject: S\n\n",
    "text/html": b"<!DOCTYPE html>\n<html><body><pre>\n",
    "application/xml": b'<?xml version="1.0"?>\n<file><content>\n',
}


@pytest.mark.parametrize("content", EMBEDDED.values(), ids=EMBEDDED)
@pytest.mark.parametrize("beginning", UNREAD.values(), ids=UNREAD)
def test_an_unsupported_container_is_not_detected_as_its_first_entry(beginning: bytes, content: bytes) -> None:
    assert detect(beginning + b"\n" + content) is None


@pytest.mark.parametrize("content", EMBEDDED.values(), ids=EMBEDDED)
@pytest.mark.parametrize(("media_type", "beginning"), READ.items(), ids=READ)
def test_a_document_is_what_its_first_bytes_say_whatever_follows(
    media_type: str, beginning: bytes, content: bytes
) -> None:
    assert detect(beginning + b"\n" + content) == media_type


def _zip(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("billing.pdf", content)
        archive.writestr("terms.txt", b"Terms")
    return packed.getvalue()


def _tar(content: bytes, form: int) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=form) as archive:
        entry = tarfile.TarInfo("billing.pdf")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


@pytest.mark.parametrize(
    "beginning", [b"PK\x05\x06" + bytes(18), b"PK\x07\x08PK\x03\x04\x14\x00"], ids=["empty", "split"]
)
def test_empty_and_split_zips_are_archives(beginning: bytes) -> None:
    assert detect(beginning) == "application/zip"


@pytest.mark.parametrize("content", EMBEDDED.values(), ids=EMBEDDED)
def test_real_archives_are_not_their_first_entry(content: bytes, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "base") as base:
        base.execute("create table t (content blob)")
        base.execute("insert into t values (?)", (content,))
    packed = [
        _zip(content),
        *(_tar(content, form) for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)),
        gzip.compress(content, 0),
        bz2.compress(content),
        lzma.compress(content),
        (tmp_path / "base").read_bytes(),
    ]

    types = ["zip", "x-tar", "x-tar", "x-tar", "gzip", "x-bzip2", "x-xz"]
    expected = [*(f"application/{each}" for each in types), None]
    assert [detect(archive[:HEAD_BYTES]) for archive in packed] == expected


def test_a_signed_pdf_is_a_signature() -> None:
    assert detect(sign(PDF)) == "application/pkcs7-mime"


@pytest.mark.parametrize(
    "junk",
    [
        b"\n\n",
        b"\xef\xbb\xbf",
        b"junk before\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n",
        b"\x1b%-12345X@PJL SET RET=ON\r\n@PJL ENTER LANGUAGE=PDF\r\n",
        b"\x00\x0bbilling.pdf".ljust(128, b"\x00"),
        b"<br />\n<b>Notice</b>: Undefined index on line 7<br />\n",
        b"MZ\n",
        bytes(range(128, 256)) * 4,
    ],
    ids=["blank lines", "mark", "words", "http", "pjl", "macbinary", "php", "letters of a program", "bytes"],
)
def test_a_pdf_may_begin_with_junk(junk: bytes) -> None:
    stream = b"2 0 obj\n<< /Length 256 >>\nstream\n" + bytes(range(256)) + b"\nendstream\nendobj\n"

    assert detect(junk + PDF + stream) == "application/pdf"
