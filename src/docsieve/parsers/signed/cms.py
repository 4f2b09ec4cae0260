"""Signed messages in CMS (`.p7m`): finds the signed content. Nothing is verified."""

import base64
import binascii
import re
from typing import NamedTuple

from docsieve.errors import CorruptDocument, UnsupportedType

_ARMOR = re.compile(rb"\A-----BEGIN (?:PKCS7|CMS|SIGNED MESSAGE)-----")
_OCTETS, _OCTETS_IN_PARTS = 0x04, 0x24
_MAX_DEPTH = 12


class _Value(NamedTuple):
    """The content of a value is from `start` to `end`; the next value begins at `after`."""

    tag: int
    start: int
    end: int
    after: int


def signed_content(data: bytes) -> bytes:
    """Follow ContentInfo → SignedData → version, algorithms, EncapsulatedContentInfo → the octets."""
    try:
        _, wrapper = _children(data, _value(data, 0))[:2]
        signed = _children(data, _children(data, wrapper)[0])
        _, *content = _children(data, signed[2])
        if content:
            return _octets(data, _children(data, content[0])[0])
    except (IndexError, ValueError) as error:
        raise CorruptDocument("The signature is damaged.") from error
    raise UnsupportedType("The file contains only a signature, not the signed document.")


def _octets(data: bytes, value: _Value, depth: int = 0) -> bytes:
    if value.tag == _OCTETS:
        return data[value.start : value.end]
    if value.tag != _OCTETS_IN_PARTS or depth > _MAX_DEPTH:
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
    if depth > _MAX_DEPTH:
        raise ValueError("nested too deeply")
    tag, length, start = data[at], data[at + 1], at + 2
    if length == 0x80:
        # no stated length: the value ends at two zero bytes
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


def binary(data: bytes, *, whole: bool) -> bytes:
    """Decode a message that is in base64, with or without armor; binary ones stay as they are."""
    if data[:1] == b"\x30":
        return data
    text = re.sub(rb"-----[^-]*-----", b"", data) if _ARMOR.match(data) else data
    packed = re.sub(rb"\s+", b"", text if whole else text[:256])
    try:
        return base64.b64decode(packed[: len(packed) // 4 * 4], validate=True)
    except binascii.Error:
        return b""
