"""Mail as it travels, and web pages saved in that form. What is attached becomes documents of their own."""

import re
from email import message_from_bytes
from pathlib import Path

from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.mail import parts
from docsieve.parsers.mail.headers import begins_with_headers
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.text.encodings import head_text

_BLANK_LINES = re.compile(rb"\A(?:[ \t]*\r?\n)+")
_END_OF_HEADERS = re.compile(rb"\n\r?\n")
# with the date, a box of mails begins
_SENDERS_LINE = re.compile(r"\AFrom (?![ \t]*:|[^\r\n]*\d{4})[^\r\n]+\r?\n")


class EmlParser:
    name = "eml"
    version = "2"
    uses_ocr = False
    media_types = frozenset({"message/rfc822"})

    def sniff(self, head: bytes) -> str | None:
        # only the headers: what follows them may be of any kind
        text = head_text(_END_OF_HEADERS.split(_from_its_headers(head), maxsplit=1)[0])
        if text is None or not begins_with_headers(_SENDERS_LINE.sub("", text)):
            return None
        return "message/rfc822"

    def read(self, source: Path, options: ReadOptions) -> Reading:
        return read_mail(source.read_bytes(), options)


def read_mail(content: bytes, options: ReadOptions) -> Reading:
    try:
        message = message_from_bytes(_from_its_headers(content))
        found = parts.contents_of(message)
        return reading_of(
            parts.blocks_of_mail(message, found),
            options,
            info=parts.info_of(message, found),
            attachments=parts.attachments(found),
        )
    except RecursionError as error:
        raise CorruptDocument("The parts of the mail are nested too deeply.") from error


def _from_its_headers(content: bytes) -> bytes:
    return _BLANK_LINES.sub(b"", content, count=1)
