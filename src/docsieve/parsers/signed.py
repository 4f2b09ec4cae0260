"""Documents inside a signature (CMS, `.p7m`): the signed content is read by its own parser; nothing is verified."""

import base64
import binascii
import re
from pathlib import Path
from typing import NamedTuple

from docsieve.errors import CorruptDocument, UnsupportedType
from docsieve.parsers.port import HEAD_BYTES, Reading, ReadOptions

_SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
_NOT_WITHIN = 32
# a sequence, as it is or in base64, or armour
_BEGINNINGS = (b"\x30", b"M", b"-")
_ARMOUR = re.compile(rb"\A-----BEGIN (?:PKCS7|CMS|SIGNED MESSAGE)-----")
_OCTETS, _OCTETS_IN_PARTS = 0x04, 0x24
_DEEPEST = 12


class SignedParser:
    name = "signed"
    version = "1"
    # what is inside may be a scan
    uses_ocr = True
    media_types = frozenset({"application/pkcs7-mime"})

    def sniff(self, head: bytes) -> str | None:
        if not head[:256].lstrip().startswith(_BEGINNINGS):
            return None
        start = _binary(head, whole=False)[:_NOT_WITHIN]
        return "application/pkcs7-mime" if start[:1] == b"\x30" and _SIGNED_DATA in start else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        # only here, because the registry lists this parser
        from docsieve.parsers.registry import detect, parser_for

        content = signed_content(_binary(source.read_bytes(), whole=True))
        media_type = detect(content[:HEAD_BYTES])
        if media_type is None or media_type in self.media_types:
            raise UnsupportedType("No parser reads what was signed.")
        inner = Path("signed-content").absolute()
        inner.write_bytes(content)
        reading = parser_for(media_type).read(inner, options)
        reading.media_type = reading.media_type or media_type
        return reading


class _Value(NamedTuple):
    """Where a value lies: its content from `start` to `end`, what follows it from `after`."""

    tag: int
    start: int
    end: int
    after: int


def signed_content(data: bytes) -> bytes:
    """ContentInfo → SignedData → version, algorithms, EncapsulatedContentInfo → the octets."""
    try:
        _, wrapper = _children(data, _value(data, 0))[:2]
        signed = _children(data, _children(data, wrapper)[0])
        _, *content = _children(data, signed[2])
        if content:
            return _octets(data, _children(data, content[0])[0])
    except (IndexError, ValueError) as error:
        raise CorruptDocument("The signature is damaged.") from error
    raise UnsupportedType("The signature stands apart from what was signed, and holds no document.")


def _octets(data: bytes, value: _Value, depth: int = 0) -> bytes:
    if value.tag == _OCTETS:
        return data[value.start : value.end]
    if value.tag != _OCTETS_IN_PARTS or depth > _DEEPEST:
        raise ValueError("not octets")
    return b"".join(_octets(data, child, depth + 1) for child in _children(data, value))


def _children(data: bytes, value: _Value) -> list[_Value]:
    found = []
    at = value.start
    while at < value.end:
        found.append(_value(data, at))
        at = found[-1].after
    return found


def _value(data: bytes, at: int, depth: int = 0) -> _Value:
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    tag, length, start = data[at], data[at + 1], at + 2
    if length == 0x80:
        # no stated length: it ends at two zero bytes
        end = start
        while data[end] or data[end + 1]:
            end = _value(data, end, depth + 1).after
        return _Value(tag, start, end, end + 2)
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(data[at + 2 : start], "big")
    if start + length > len(data):
        raise ValueError("cut off")
    return _Value(tag, start, start + length, start + length)


def _binary(data: bytes, *, whole: bool) -> bytes:
    """Signatures travel as they are, in base64, or in base64 with armour around it."""
    if data[:1] == b"\x30":
        return data
    text = re.sub(rb"-----[^-]*-----", b"", data) if _ARMOUR.match(data) else data
    packed = re.sub(rb"\s+", b"", text if whole else text[:256])
    try:
        return base64.b64decode(packed[: len(packed) // 4 * 4], validate=True)
    except binascii.Error:
        return b""
