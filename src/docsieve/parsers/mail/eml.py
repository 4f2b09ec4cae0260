"""Mail as it travels, and web pages saved in that form. What is attached becomes documents of their own."""

from email import message_from_bytes
from pathlib import Path

from docsieve.errors import CorruptDocument
from docsieve.parsers.encodings import head_text
from docsieve.parsers.flow import reading_of
from docsieve.parsers.mail import parts
from docsieve.parsers.mail.headers import begins_with_headers
from docsieve.parsers.port import Reading, ReadOptions


class EmlParser:
    name = "eml"
    version = "1"
    uses_ocr = False
    media_types = frozenset({"message/rfc822"})

    def sniff(self, head: bytes) -> str | None:
        text = head_text(head)
        return "message/rfc822" if text is not None and begins_with_headers(text.lstrip("\r\n")) else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        return read_mail(source.read_bytes(), options)


def read_mail(content: bytes, options: ReadOptions) -> Reading:
    try:
        message = message_from_bytes(content.lstrip(b"\r\n"))
        found = parts.contents_of(message)
        return reading_of(
            parts.blocks_of_mail(message, found),
            options,
            info=parts.info_of(message, found),
            attachments=parts.attachments(found),
        )
    except RecursionError as error:
        raise CorruptDocument("The parts of the mail are nested too deeply.") from error
