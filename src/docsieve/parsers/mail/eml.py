"""Reads mail (RFC 822), and web pages saved in that form. Attachments become separate documents."""

from email import message_from_bytes
from pathlib import Path

from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.mail import parts
from docsieve.parsers.mail.headers import without_blank_lines
from docsieve.parsers.port import Reading, ReadOptions


def read(source: Path, options: ReadOptions) -> Reading:
    try:
        message = message_from_bytes(without_blank_lines(source.read_bytes()))
        found = parts.contents_of(message)
        return reading_of(
            parts.blocks_of_mail(message, found),
            options,
            info=parts.info_of(message, found),
            attachments=parts.attachments(found),
        )
    except RecursionError as error:
        raise CorruptDocument("The parts of the mail are nested too deeply.") from error
