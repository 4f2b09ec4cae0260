"""Title, author and the like of compound files, from their property sets."""

import codecs
import struct
from datetime import UTC, datetime, timedelta

from docsieve.domain.text import clean

_HEADER_BYTES = 28
_MAX_PROPERTIES = 256
_MAX_LENGTH = 4000
_SHORT, _NARROW, _WIDE, _TIME = 2, 30, 31, 64
_CODE_PAGE = 1
_FIRST_MOMENT = datetime(1601, 1, 1, tzinfo=UTC)
_LATEST = 3 * 10**17


def properties_of(stream: bytes) -> dict[int, str]:
    """Return the texts and times of the first section by number, without damaged ones."""
    begin = _integer(stream, _HEADER_BYTES + 16)
    count = min(_integer(stream, begin + 4), _MAX_PROPERTIES) if begin else 0
    places = {
        _integer(stream, begin + 8 + 8 * place): begin + _integer(stream, begin + 12 + 8 * place)
        for place in range(count)
    }
    encoding = _encoding(_integer(stream, places[_CODE_PAGE] + 4) & 0xFFFF if _CODE_PAGE in places else 0)
    found = {number: _value(stream, place, encoding) for number, place in places.items()}
    return {number: text for number, text in found.items() if text}


def _value(stream: bytes, place: int, encoding: str) -> str:
    kind, size = _integer(stream, place) & 0xFFFF, _integer(stream, place + 4)
    if kind == _NARROW:
        return _text(stream[place + 8 : place + 8 + min(size, _MAX_LENGTH)], encoding)
    if kind == _WIDE:
        return _text(stream[place + 8 : place + 8 + 2 * min(size, _MAX_LENGTH)], "utf-16-le")
    if kind == _TIME and place + 12 <= len(stream):
        ticks = struct.unpack_from("<Q", stream, place + 4)[0]
        if 0 < ticks < 10 * _LATEST:
            return (_FIRST_MOMENT + timedelta(microseconds=ticks // 10)).isoformat()
    return ""


def _text(content: bytes, encoding: str) -> str:
    return clean(content.decode(encoding, "replace").partition("\0")[0]).strip()


def _encoding(code_page: int) -> str:
    if code_page == 1200:
        return "utf-16-le"
    try:
        return codecs.lookup("utf-8" if code_page == 65001 else f"cp{code_page}").name
    except LookupError:
        return "cp1252"


def _integer(stream: bytes, place: int) -> int:
    return int(struct.unpack_from("<I", stream, place)[0]) if place + 4 <= len(stream) else 0
