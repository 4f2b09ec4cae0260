"""Detects text and its encoding: byte order marks first, then UTF-8, UTF-16 and UTF-32, then legacy encodings."""

import codecs
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import BinaryIO, TextIO

from docsieve.errors import CorruptDocument
from docsieve.parsers.signatures import is_container
from docsieve.parsers.text.legacy_encodings import best_legacy, best_of, plausible_legacy

# UTF-32 first: the little-endian mark of UTF-16 is the beginning of that of UTF-32.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ANY_MARK = tuple(mark for mark, _ in _MARKS)
_UNMARKED_WIDE = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
_MAINFRAME, _MAINFRAME_SPACE, _MIN_MAINFRAME_BYTES = "cp500", b"\x40", 32
_CONTROLS = bytes({*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F})
_HIGH = re.compile(rb"[\x80-\xff]+")
_UTF8_CHARACTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HEAD = 8 * 1024
_SAMPLE = 1536
_BEFORE = 64
_SNIFFED = 1024
_MAX_SEARCHED = 16 * 1024**2
_CHUNK = 1024**2


@lru_cache(maxsize=4)
def looks_like_text(head: bytes) -> bool:
    marked = marked_encoding(head)
    if marked is None and (not head or is_container(head)):
        return False
    if marked is None and _is_ebcdic(head):
        return True
    if marked is None and b"\x00" in head:
        return _unmarked_wide(head) is not None
    if head.isascii():
        return _count_controls(head) * 100 <= len(head)
    try:
        text = _decode_head(head, marked or "utf-8")
    except UnicodeDecodeError:
        if marked is not None or _count_controls(head):
            return False
        high = sum(byte >= 0x80 for byte in head)
        return high * 4 < len(head) or _mostly_utf8(head) or plausible_legacy(head[:_SNIFFED])
    return _count_controls(text.encode("utf-8", "replace")) * 100 <= len(text)


@lru_cache(maxsize=4)
def head_text(head: bytes) -> str | None:
    """Return the head of a document as text, if it is text, for formats that are detected from their text."""
    if not looks_like_text(head):
        return None
    if head.isascii() and b"\x00" not in head and b"\x1b" not in head:
        return head.decode("ascii")
    encoding = _encoding_of_bytes(head)
    try:
        return _decode_head(head, encoding).lstrip("\ufeff")
    except UnicodeDecodeError:
        return head.decode(encoding, "replace")


def decode(data: bytes, declared: str | None = None) -> str:
    """Decode a whole text. A declared encoding is used if the bytes agree with it. Never raises."""
    stated = None if declared is None else known_encoding(declared)
    # Programs often declare Western without checking; UTF-8 does not occur by chance.
    candidates = [marked_encoding(data), "utf-8" if stated == _WESTERN else None, stated]
    for candidate in (*candidates, _encoding_of_bytes(data)):
        if candidate is None:
            continue
        try:
            return data.decode(candidate).lstrip("\ufeff")
        except UnicodeDecodeError:
            continue
    return data.decode(_encoding_of_bytes(data), "replace").lstrip("\ufeff")


def encoding_among(data: bytes, candidates: Sequence[str]) -> str:
    """Return the most plausible of some legacy encodings; the first one without evidence."""
    return best_of(_high_lines(data, _SAMPLE), candidates)


def known_encoding(name: str) -> str | None:
    """Python's name of an encoding that turns bytes into text; the web reads Latin-1 as its superset."""
    try:
        found = codecs.lookup(name.strip().strip("\"'"))
        b"".decode(found.name)
    except (LookupError, ValueError):
        return None
    return _SUPERSETS.get(found.name, found.name)


_WESTERN = "cp1252"
_SUPERSETS = {
    "iso8859-1": _WESTERN,
    "ascii": _WESTERN,
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
}


def open_text(source: Path) -> TextIO:
    """Open a document as text. Raises CorruptDocument if it contradicts its byte order mark."""
    with source.open("rb") as file:
        head = file.read(_HEAD)
        marked = marked_encoding(head)
        wide = None if marked else _unmarked_wide(head)
        sample = b"" if marked or wide else _sample_of_high_lines(file, head)
    if marked is not None:
        if not _decodes(source, marked):
            raise CorruptDocument(f"The text has a byte order mark for {marked} but is not in that encoding.")
        return source.open(encoding=marked)
    if wide is not None:
        return source.open(encoding=wide, errors="replace")
    if _is_ebcdic(head):
        return StringIO(source.read_bytes().decode(_MAINFRAME).replace("\x85", "\n"), newline=None)
    if _decodes(source, "utf-8"):
        return source.open(encoding=_encoding_of_bytes(head), errors="replace")
    encoding = _encoding_of_bytes(sample)
    return source.open(encoding=encoding, errors="replace")


def marked_encoding(head: bytes) -> str | None:
    if not head.startswith(_ANY_MARK):
        return None
    return next(encoding for mark, encoding in _MARKS if head.startswith(mark))


def _encoding_of_bytes(data: bytes) -> str:
    if marked := marked_encoding(data):
        return marked
    if b"\x00" in data[:_HEAD] and (wide := _unmarked_wide(data[:_HEAD])):
        return wide
    if _is_ebcdic(data[:_HEAD]):
        return _MAINFRAME
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        sample = _high_lines(data[:_MAX_SEARCHED], _SAMPLE) or data[:_SAMPLE]
        return "utf-8" if _mostly_utf8(sample) else best_legacy(sample)
    escapes = data[:_SAMPLE]
    return "iso2022_jp" if b"\x1b$B" in escapes or b"\x1b$@" in escapes else "utf-8"


def _sample_of_high_lines(file: BinaryIO, head: bytes) -> bytes:
    sample, searched = b"", head
    total = 0
    while searched and len(sample) < _SAMPLE and total < _MAX_SEARCHED:
        sample += _high_lines(searched, _SAMPLE - len(sample)) + b"\n"
        total += len(searched)
        searched = file.read(_CHUNK)
    return sample.strip(b"\n") or head


def _high_lines(data: bytes, room: int) -> bytes:
    """Return the lines that are not pure ASCII, without most of the ASCII at the start of long ones."""
    lines = []
    end = 0
    for match in _HIGH.finditer(data):
        if room <= 0:
            break
        if match.start() < end:
            continue
        start = max(end, match.start() - _BEFORE)
        start = max(start, data.rfind(b"\n", start, match.start()) + 1)
        line_end = data.find(b"\n", match.end(), start + room)
        end = start + room if line_end < 0 else line_end
        lines.append(data[start:end])
        room -= end - start
    return b"\n".join(lines)


def _decode_head(head: bytes, encoding: str) -> str:
    # Not final: the head may end inside a character.
    return codecs.getincrementaldecoder(encoding)().decode(head)


def _count_controls(text: bytes) -> int:
    """In UTF-8 and in one-byte encodings, a control character is one byte and not part of another character."""
    return len(text) - len(text.translate(None, _CONTROLS))


def _mostly_utf8(data: bytes) -> bool:
    """Whether the text is UTF-8 with some damage."""
    whole = sum(len(match.group()) for match in _UTF8_CHARACTER.finditer(data))
    high = sum(byte >= 0x80 for byte in data)
    return whole >= 8 and whole * 10 >= high * 9


def _unmarked_wide(head: bytes) -> str | None:
    """Detect UTF-16 or UTF-32 without a mark: decodes to ordinary characters, most of them letters."""
    if b"\x00" not in head or len(head) < 8:
        return None
    for encoding in _UNMARKED_WIDE:
        try:
            text = _decode_head(head, encoding)
        except UnicodeDecodeError:
            continue
        if _is_ordinary(text):
            return encoding
    return None


def _is_ebcdic(head: bytes) -> bool:
    """Whether this is mainframe text, whose spaces and letters are where no other encoding has them."""
    if head.isascii() or len(head) < _MIN_MAINFRAME_BYTES or head.count(b" ") * 50 > len(head):
        return False
    if head.count(_MAINFRAME_SPACE) * 16 < len(head):
        return False
    text = head.decode(_MAINFRAME)
    letters = sum(character.isascii() and character.isalnum() for character in text)
    ordinary = sum(character.isprintable() or character in "\t\r\n\x85" for character in text)
    return letters * 4 >= sum(map(len, text.split())) * 3 and ordinary * 50 >= len(text) * 49


def _is_ordinary(text: str) -> bool:
    if any(
        unicodedata.category(character) in ("Cn", "Co", "Cs", "Cc") and character not in "\t\r\n\f"
        for character in text
    ):
        return False
    letters = sum(character.isalnum() or character in " \r\n\t" for character in text)
    high_bytes = {ord(character) >> 8 for character in text}
    return letters * 10 >= len(text) * 7 and (0 in high_bytes or len(high_bytes) * 4 < len(text))


def _decodes(source: Path, encoding: str) -> bool:
    with source.open(encoding=encoding, newline="") as file:
        try:
            while file.read(_CHUNK):
                pass
        except UnicodeError:
            return False
    return True
