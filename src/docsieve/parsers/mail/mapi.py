"""The properties of an Outlook message: stream names, fixed values, and strings in one of two encodings."""

import struct
from datetime import UTC, datetime, timedelta
from typing import Final

from docsieve.parsers.office.legacy.compound import Compound
from docsieve.parsers.text.encodings import decode, known_encoding

SUBJECT: Final = 0x0037
SENDER_NAME: Final = 0x0C1A
SENDER_ADDRESS: Final = 0x0C1F
SENDER_SMTP: Final = 0x5D01
SENT_FOR_NAME: Final = 0x0042
SENT_FOR_ADDRESS: Final = 0x0065
SENT_FOR_SMTP: Final = 0x5D02
DISPLAY_TO: Final = 0x0E04
DISPLAY_CC: Final = 0x0E03
DISPLAY_BCC: Final = 0x0E02
SUBMITTED: Final = 0x0039
DELIVERED: Final = 0x0E06
HEADERS: Final = 0x007D
BODY: Final = 0x1000
BODY_RTF: Final = 0x1009
BODY_HTML: Final = 0x1013
INTERNET_CODE_PAGE: Final = 0x3FDE
MESSAGE_CODE_PAGE: Final = 0x3FFD
ATTACHED: Final = 0x3701
ATTACHED_NAME: Final = 0x3707
ATTACHED_SHORT_NAME: Final = 0x3704
ATTACHED_TYPE: Final = 0x370E
DISPLAY_NAME: Final = 0x3001
ADDRESS: Final = 0x3003
SMTP: Final = 0x39FE
RECIPIENT_TYPE: Final = 0x0C15

_STRING, _UNICODE, _BINARY, _TIME, _INTEGER = 0x001E, 0x001F, 0x0102, 0x0040, 0x0003
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_TICKS_A_MICROSECOND = 10


class Properties:
    """The properties of a message, attachment or recipient: a storage whose path ends with a slash or is empty."""

    def __init__(
        self, file: Compound, storage: str = "", *, header_bytes: int = 8, code_page: int | None = None
    ) -> None:
        self._file = file
        self._storage = storage
        self._fixed = _fixed_values(file.read(f"{storage}__properties_version1.0"), header_bytes)
        declared = code_page or self.integer(MESSAGE_CODE_PAGE) or self.integer(INTERNET_CODE_PAGE)
        self.code_page = declared

    def text(self, number: int) -> str:
        unicode = self._stream(number, _UNICODE)
        if unicode:
            return unicode.decode("utf-16-le", "replace").rstrip("\x00")
        return decode(self._stream(number, _STRING), encoding_of(self.code_page)).rstrip("\x00")

    def binary(self, number: int) -> bytes:
        return self._stream(number, _BINARY)

    def integer(self, number: int) -> int | None:
        value = self._fixed.get((number, _INTEGER))
        return None if value is None else int.from_bytes(value[:4], "little")

    def time(self, number: int) -> datetime | None:
        value = self._fixed.get((number, _TIME))
        if value is None:
            return None
        try:
            return _EPOCH + timedelta(microseconds=int.from_bytes(value, "little") // _TICKS_A_MICROSECOND)
        except OverflowError:
            return None

    def _stream(self, number: int, kind: int) -> bytes:
        return self._file.read(f"{self._storage}__substg1.0_{number:04X}{kind:04X}")


def encoding_of(code_page: int | None) -> str | None:
    if code_page is None:
        return None
    return {65001: "utf-8", 1200: "utf-16-le", 20127: "ascii", 28591: "latin-1"}.get(code_page) or known_encoding(
        f"cp{code_page}"
    )


def _fixed_values(stream: bytes, header_bytes: int) -> dict[tuple[int, int], bytes]:
    found = {}
    for offset in range(header_bytes, len(stream) - 15, 16):
        kind, number, _, value = struct.unpack_from("<HHI8s", stream, offset)
        found[number, kind] = value
    return found
