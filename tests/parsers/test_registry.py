import subprocess
import sys

import pytest

from docsieve.archives import types
from docsieve.errors import UnsupportedType
from docsieve.parsers.registry import BUILT_IN, detect, parser_for, parsers


def test_installed_parsers_come_before_the_built_in_ones() -> None:
    names = [parser.name for parser in parsers()]

    assert names.index("poison") < names.index("pdf") < names.index("text")


def test_a_type_without_a_parser_is_refused() -> None:
    with pytest.raises(UnsupportedType, match="application/x-unheard-of"):
        parser_for("application/x-unheard-of")


@pytest.mark.parametrize(
    ("head", "media_type"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "application/pdf"),
        (b"junk before\n%PDF-1.4\r\n", "application/pdf"),
        (b"A file begins with %PDF-1.4 and goes on.\n", "text/plain"),
        ("Grüße, 你好".encode(), "text/plain"),
        ("é".encode() * 4095 + b"\xc3", "text/plain"),
        ("Grüße".encode("cp1252"), "text/plain"),
        ("hello".encode("utf-16"), "text/plain"),
        ("hello".encode("utf-32"), "text/plain"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"),
        (b"PK\x03\x04\x14\x00\x06\x00", "application/zip"),
        (b"PK\x03\x04\x14\x00\x00\x00\x00\x00" + bytes(16) + b"\x12\x00\x00\x00Index/Document.iwa", None),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"),
        (b"\x1f\x8b\x08\x08\x9a\xbc\xde\xf1", "application/gzip"),
        (b"\xff\xfe\x02\x00\x07\x00\x01\x00", None),
        (b"", None),
    ],
)
def test_types_are_detected_from_the_first_bytes(head: bytes, media_type: str | None) -> None:
    assert detect(head) == media_type


_BEGINNINGS = (
    b"From ada@example.com Mon Jan  1 00:00:00 2024\nFrom: ada@example.com\nDate: today\n\nHello\n",
    b"<!doctype html><html><body>Hello</body></html>",
    b"<?xml version='1.0'?><office:document office:mimetype='application/vnd.oasis.opendocument.text'>",
    b'<note kind="short"><to>Ada</to></note>',
    b'{"name": "Ada"}',
    b"[1, 2, 3]",
    b"{\\rtf1\\ansi Hello}",
    b"-----BEGIN PKCS7-----\nMIAGCSqGSIb3DQEHAqCAMIACAQExDzANBglghkgBZQMEAgEFADCABgkqhkiG9w0BBwE=\n",
    b"MIAGCSqGSIb3DQEHAqCAMIACAQExDzANBglghkgBZQMEAgEFADCABgkqhkiG9w0BBwE=\n",
    b"0\x06\x09*",
    b"K\x03\x04word/document.xml",
    b"\x1b$B$3$s$K$A$O\x1b(B",
)


@pytest.mark.parametrize("rest", _BEGINNINGS)
def test_no_format_that_is_left_out_for_the_first_byte_would_have_been_detected(rest: bytes) -> None:
    for before in (b"", *(bytes([code]) for code in range(128)), *(b" " + bytes([code]) for code in range(128))):
        head = before + rest
        everyone = (each.sniff(head) for each in parsers())

        assert (types.detect(head) or detect(head)) == (
            types.detect(head) or next((found for found in everyone if found is not None), None)
        )


def test_each_format_with_known_first_bytes_is_detected_from_one_of_the_beginnings() -> None:
    detected = {detect(rest) for rest in _BEGINNINGS}
    textual = [each for each in BUILT_IN if each.begins is not None and each.name not in ("ooxml", "epub", "ole")]

    assert [each.name for each in textual if detected.isdisjoint(each.media_types)] == []


@pytest.mark.parametrize(
    ("encoding", "page"),
    [
        ("iso2022_jp", "\u3000<html>"),
        ("utf-16-be", "<html> <body> <p> A page in two bytes per letter </p>"),
        ("cp500", "<html> " + "A page from a mainframe with several words " * 3),
    ],
)
def test_text_whose_first_byte_is_not_its_first_letter_is_searched_for_every_format(encoding: str, page: str) -> None:
    head = page.encode(encoding)

    assert head[0] < 128 and head[:1] != b"<"
    assert detect(head) == next(found for each in parsers() if (found := each.sniff(head)) is not None) == "text/html"


def test_detecting_types_loads_no_reader_and_no_heavy_library() -> None:
    heavy = ("pypdfium2", "PIL", "lxml", "numpy", "cv2", "olefile", "pikepdf", "markdown_it")
    names = (*heavy, *(built_in.reader for built_in in BUILT_IN))
    program = (
        "import sys; from docsieve.parsers.registry import detect; detect(b'A text'); detect(b'%PDF-');"
        f"print([name for name in {names} if name in sys.modules])"
    )

    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert output.strip() == "[]"
