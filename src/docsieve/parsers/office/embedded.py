"""Unwraps embedded OLE objects: a file that was inserted, a package, or a document."""

import struct
from io import BytesIO

from docsieve.domain.text import clean
from docsieve.errors import CorruptDocument
from docsieve.parsers.office.legacy.compound import Compound
from docsieve.parsers.office.legacy.types import OLE_SIGNATURE

_DOCUMENT_STREAMS = ("WordDocument", "Workbook", "Book", "PowerPoint Document")
_MAX_BYTES = 64 * 1024**2


def unwrap(name: str, content: bytes) -> tuple[str, bytes]:
    """Return the name and the bytes of the document inside; no bytes if there is none."""
    if not content.startswith(OLE_SIGNATURE):
        return name, content
    try:
        compound = Compound(BytesIO(content))
    except CorruptDocument:
        return name, b""
    if "\x01Ole10Native" in compound:
        return _native(name, compound.read("\x01Ole10Native", _MAX_BYTES))
    for stream in ("Package", "CONTENTS"):
        if stream in compound:
            return name, compound.read(stream, _MAX_BYTES)
    is_document = any(stream in compound for stream in _DOCUMENT_STREAMS)
    return name, content if is_document else b""


def _native(name: str, stream: bytes) -> tuple[str, bytes]:
    """Size, flags, label, file name, path, more flags, the temporary path with its length, size, content."""
    label, place = _string(stream, 6)
    _, place = _string(stream, place)
    place += 4
    path_size = _integer(stream, place)
    place += 4 + path_size
    size = _integer(stream, place)
    return clean(label) or name, stream[place + 4 : place + 4 + size]


def _string(stream: bytes, start: int) -> tuple[str, int]:
    end = stream.find(b"\0", start)
    end = len(stream) if end < 0 else end
    return stream[start:end].decode("cp1252", "replace"), end + 1


def _integer(stream: bytes, place: int) -> int:
    return int(struct.unpack_from("<I", stream, place)[0]) if place + 4 <= len(stream) else 0
