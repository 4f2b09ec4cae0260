"""Mail headers as people read them. Real mail breaks every rule about them, so nothing here raises."""

import re
from binascii import Error as Base64Error
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime

from docsieve.domain.text import clean
from docsieve.parsers.text.encodings import decode

SHOWN = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject")
KNOWN = frozenset(
    name.lower()
    for name in (
        *SHOWN, "Received", "Return-Path", "Delivered-To", "Message-ID", "MIME-Version", "Content-Type",
        "Content-Transfer-Encoding", "Content-Disposition", "In-Reply-To", "References", "X-Mailer", "DKIM-Signature",
        "List-Id", "Importance", "Thread-Topic", "Resent-From", "Envelope-To", "Authentication-Results", "User-Agent",
    )
)  # fmt: skip

MBOX_OPENING = re.compile(r"From (?:-[ \t]*|[^\r\n]*\d{4}[^\r\n]*)\r?\n")
"""The line before each mail of a mailbox: with a date, or as Netscape writes it."""

_BY_PROGRAMS = frozenset(
    {"received", "message-id", "mime-version", "return-path", "delivered-to", "content-type", "dkim-signature"}
)
_TELLING = _BY_PROGRAMS | {"from", "date"}
_HEADER = re.compile(r"([!-9;-~]+)[ \t]*:([ \t]|$)?")
_BLANK_LINES = re.compile(rb"\A(?:[ \t]*\r?\n)+")
_SPACES = re.compile(r"\s+")
_MAX_LENGTH = 100_000


def without_blank_lines(content: bytes) -> bytes:
    """Drop the blank lines before the headers of a mail."""
    return _BLANK_LINES.sub(b"", content, count=1)


def begins_with_headers(text: str) -> bool:
    """Whether a text begins with the headers of a mail: at least two known ones, and few unknown ones.

    A reader is not shown headers of other names. If people wrote all of them, as in a memo with its own fields, there
    may therefore be none.
    """
    names = opening_headers(text)
    known = {name for name in names if name in KNOWN}
    strange = [name for name in names if name not in KNOWN and not name.startswith("x-")]
    most_strange = 2 * len(known) if known & _BY_PROGRAMS else 0
    return len(known) >= 2 and len(strange) <= most_strange and bool(known & _TELLING)


def opening_headers(text: str) -> list[str]:
    """Return the names of the headers that a text begins with."""
    names: list[str] = []
    if not _HEADER.match(text):
        return names
    for line in text.splitlines()[:200]:
        if names and line[:1] in (" ", "\t") and line.strip():
            continue
        header = _HEADER.match(line)
        # Few mails omit the space after the colon, and many other texts have words before a colon.
        if header is None or (header[2] is None and header[1].lower() not in KNOWN):
            break
        names.append(header[1].lower())
    return names


def shown(message: "Message[str, str]") -> list[tuple[str, str]]:
    """Return the headers that mail programs show, in their usual order."""
    pairs = ((name, text_of(message, name)) for name in SHOWN)
    return [(name, text) for name, text in pairs if text]


def text_of(message: "Message[str, str]", name: str) -> str:
    # The raw values: the library fails on bytes above ASCII.
    values = (value for known, value in message.raw_items() if known.lower() == name.lower())
    return ", ".join(filter(None, map(plain, values)))


def plain(value: object) -> str:
    """Return a header value with its encoded words decoded."""
    raw = _SPACES.sub(" ", str(value))[:_MAX_LENGTH]
    try:
        parts = decode_header(raw)
    except (HeaderParseError, Base64Error, ValueError):
        parts = [(raw, None)]
    decoded = (part if isinstance(part, str) else decode(part, charset) for part, charset in parts)
    return clean(_unescaped("".join(decoded))).strip()


def date_of(message: "Message[str, str]") -> str | None:
    """Return the date in ISO form, or None if it is not valid."""
    try:
        return parsedate_to_datetime(text_of(message, "Date")).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _unescaped(text: str) -> str:
    """Decode bytes above ASCII, which are not allowed in headers but common."""
    if text.isascii() or not any("\udc80" <= character <= "\udcff" for character in text):
        return text
    return decode(text.encode("utf-8", "surrogateescape"))
