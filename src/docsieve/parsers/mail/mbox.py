"""Reads a mailbox: several mails in one file, each on separate pages."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from email import message_from_bytes
from itertools import chain, islice
from pathlib import Path

from docsieve.domain.pages.page import DocumentInfo
from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.blocks import Block, NewPage
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.mail import parts
from docsieve.parsers.mail.headers import MBOX_OPENING
from docsieve.parsers.mail.parts import Contents, Mail
from docsieve.parsers.port import MAX_ATTACHMENTS, Attachment, Reading, ReadOptions

_BETWEEN = re.compile(rb"(?:\A|\r?\n\r?\n)" + MBOX_OPENING.pattern.encode() + rb"(?=[!-9;-~]+[ \t]*:)")
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)


def read(source: Path, options: ReadOptions) -> Reading:
    try:
        mails = [(mail, parts.contents_of(mail)) for mail in _mails(source.read_bytes())]
        return reading_of(
            _blocks(mails), options, info=_info(mails), attachments=islice(_attached(mails), MAX_ATTACHMENTS)
        )
    except RecursionError as error:
        raise CorruptDocument("The parts of a mail are nested too deeply.") from error


def _info(mails: list[tuple[Mail, Contents]]) -> DocumentInfo:
    listed = chain.from_iterable(parts.entries(found) for _, found in mails)
    info = DocumentInfo(attachments=list(islice(listed, MAX_ATTACHMENTS)))
    attached = [part for _, found in mails for part in found.attached]
    parts.leave_out(info, attached[MAX_ATTACHMENTS:], sum(found.parts_left_out for _, found in mails))
    return info


def _attached(mails: list[tuple[Mail, Contents]]) -> Iterator[Attachment]:
    for _, found in mails:
        yield from parts.attachments(found)


def _mails(content: bytes) -> Iterator[Mail]:
    content = content.removeprefix(BOM_UTF8)
    openings = list(_BETWEEN.finditer(content))
    ends = [opening.start() for opening in openings[1:]] + [len(content)]
    for opening, end in zip(openings, ends, strict=True):
        yield message_from_bytes(_QUOTED_FROM.sub(rb"\1", content[opening.end() : end]))


def _blocks(mails: list[tuple[Mail, Contents]]) -> Iterator[Block]:
    for mail, found in mails:
        yield NewPage()
        yield from parts.blocks_of_mail(mail, found)
