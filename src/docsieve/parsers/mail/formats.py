"""Mail as a single message (RFC 822) and as a mailbox."""

import re

from docsieve.parsers.format import Format
from docsieve.parsers.mail.headers import MBOX_OPENING, begins_with_headers, without_blank_lines
from docsieve.parsers.text.encodings import head_text

_END_OF_HEADERS = re.compile(rb"\n\r?\n")
# A name and a colon, or the line of a mailbox; other texts need no decoding to be ruled out.
_MAY_BEGIN_WITH_HEADERS = re.compile(rb"\s*(?:[!-9;-~]+[ \t]*:|From )")
# With a date, this line begins a mailbox.
_SENDERS_LINE = re.compile(r"\AFrom (?![ \t]*:|[^\r\n]*\d{4})[^\r\n]+\r?\n")


def _sniff_eml(head: bytes) -> str | None:
    if not _MAY_BEGIN_WITH_HEADERS.match(head) and head.isascii():
        return None
    # Only the headers: the body may be of any kind.
    text = head_text(_END_OF_HEADERS.split(without_blank_lines(head), maxsplit=1)[0])
    if text is None or not begins_with_headers(_SENDERS_LINE.sub("", text)):
        return None
    return "message/rfc822"


def _sniff_mbox(head: bytes) -> str | None:
    text = head_text(head)
    opening = MBOX_OPENING.match(text) if text is not None else None
    if text is None or opening is None:
        return None
    return "application/mbox" if begins_with_headers(text[opening.end() :]) else None


EML = Format(
    name="eml",
    version="2",
    media_types=frozenset({"message/rfc822"}),
    sniff=_sniff_eml,
    reader="docsieve.parsers.mail.eml",
)

MBOX = Format(
    name="mbox",
    version="2",
    media_types=frozenset({"application/mbox"}),
    sniff=_sniff_mbox,
    reader="docsieve.parsers.mail.mbox",
    begins=b"F",
)
