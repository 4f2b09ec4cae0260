"""Reads Outlook messages by converting them to RFC 822 mail. Nested messages become nested mails."""

import re
from collections.abc import Iterator
from email.encoders import encode_base64
from email.header import Header
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.parser import HeaderParser
from email.utils import format_datetime, parseaddr
from pathlib import Path

from docsieve.domain.pages.page import MAX_NAMES_LEFT_OUT
from docsieve.domain.text import clean
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.mail import mapi, parts
from docsieve.parsers.mail.headers import plain
from docsieve.parsers.mail.mapi import Properties
from docsieve.parsers.mail.rtf_compressed import decompress
from docsieve.parsers.office.legacy.compound import Compound
from docsieve.parsers.port import MAX_ATTACHMENTS, Reading, ReadOptions
from docsieve.parsers.text.rtf_text import text_of_rtf

MEDIA_TYPE = "application/vnd.ms-outlook"

_MAX_DEPTH = 8
_ATTACHMENT = re.compile(r"__attach_version1\.0_#[0-9a-f]{8}/", re.IGNORECASE)
_EMBEDDED = "__substg1.0_3701000D/"
_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
_RECIPIENT = re.compile(r"__recip_version1\.0_#[0-9a-f]{8}/", re.IGNORECASE)
_RECIPIENTS = (
    ("To", 1, mapi.DISPLAY_TO),
    ("Cc", 2, mapi.DISPLAY_CC),
    ("Bcc", 3, mapi.DISPLAY_BCC),
)


def read_msg(source: Path, options: ReadOptions) -> Reading:
    with source.open("rb") as file:
        mail = _mail(Compound(file), "", depth=0)
    found = parts.contents_of(mail)
    return reading_of(
        parts.blocks_of_mail(mail, found),
        options,
        info=parts.info_of(mail, found),
        attachments=parts.attachments(found),
        media_type=MEDIA_TYPE,
    )


def _mail(file: Compound, storage: str, *, depth: int, code_page: int | None = None) -> MIMEMultipart:
    properties = Properties(file, storage, header_bytes=24 if storage else 32, code_page=code_page)
    mail = MIMEMultipart()
    for name, value in _headers(file, storage, properties):
        if value:
            mail[name] = Header(clean(re.sub(r"\s+", " ", value)), "utf-8").encode()
    mail.attach(_body(properties))
    for attached in _attachments(file, storage, properties, depth):
        mail.attach(attached)
    return mail


def _headers(file: Compound, storage: str, properties: Properties) -> Iterator[tuple[str, str]]:
    yield "From", _sender(properties)
    recipients = list(_recipients(file, storage, properties))
    for header, kind, shown in _RECIPIENTS:
        listed = "; ".join(text for known, text in recipients if known == kind and text)
        yield header, listed or properties.text(shown).strip()
    yield "Subject", properties.text(mapi.SUBJECT).strip()
    sent = properties.time(mapi.SUBMITTED) or properties.time(mapi.DELIVERED)
    yield "Date", format_datetime(sent) if sent is not None else ""


def _sender(properties: Properties) -> str:
    """Inside an organization the address of a sender is a path; the SMTP address may be in another property."""
    texts = properties.text
    name, sent_for = texts(mapi.SENDER_NAME), texts(mapi.SENT_FOR_NAME)
    addresses = [texts(mapi.SENDER_SMTP), texts(mapi.SENDER_ADDRESS)]
    if not name or name == sent_for:
        addresses += [texts(mapi.SENT_FOR_SMTP), texts(mapi.SENT_FOR_ADDRESS)]
    said, address = parseaddr(plain(HeaderParser().parsestr(texts(mapi.HEADERS)).get("From", "")))
    if said.casefold() in ("", (name or sent_for).casefold()):
        addresses.append(address)
    return _person(name or sent_for, addresses)


def _recipients(file: Compound, storage: str, message: Properties) -> Iterator[tuple[int | None, str]]:
    for inner in _storages(file, storage, _RECIPIENT):
        properties = Properties(file, storage + inner, code_page=message.code_page)
        name = properties.text(mapi.DISPLAY_NAME).strip()
        addresses = [properties.text(mapi.SMTP), properties.text(mapi.ADDRESS)]
        yield properties.integer(mapi.RECIPIENT_TYPE), _person(name, addresses)


def _person(name: str, addresses: list[str]) -> str:
    address = next((address for address in addresses if "@" in address), "")
    if name and address:
        return name if address in name else f"{name} <{address}>"
    return name or address or next(filter(None, addresses), "")


def _storages(file: Compound, storage: str, pattern: re.Pattern[str]) -> list[str]:
    found = (pattern.match(name[len(storage) :]) for name in file.names_below(storage))
    return sorted({match.group() for match in found if match})


def _body(properties: Properties) -> MIMEMultipart:
    """Return both forms if there are both; the choice between them is the same as for any mail."""
    body = MIMEMultipart("alternative")
    if text := properties.text(mapi.BODY):
        body.attach(MIMEText(clean(text), "plain", "utf-8"))
    html = properties.binary(mapi.BODY_HTML)
    markup = html or properties.text(mapi.BODY_HTML).encode()
    if markup:
        charset = mapi.encoding_of(properties.integer(mapi.INTERNET_CODE_PAGE)) if html else "utf-8"
        body.attach(_leaf("text/html", markup, charset=charset))
    if not text and not markup and (rtf := decompress(properties.binary(mapi.BODY_RTF))):
        body.attach(MIMEText(clean(text_of_rtf(rtf)), "plain", "utf-8"))
    return body


def _attachments(file: Compound, storage: str, message: Properties, depth: int) -> Iterator[MIMEBase]:
    for number, inner in enumerate(_storages(file, storage, _ATTACHMENT)):
        if number >= MAX_ATTACHMENTS + MAX_NAMES_LEFT_OUT:
            yield _leaf("application/octet-stream", b"", name="")  # only counted
            continue
        place = storage + inner
        properties = Properties(file, place, code_page=message.code_page)
        name = next(
            filter(None, map(properties.text, (mapi.ATTACHED_NAME, mapi.ATTACHED_SHORT_NAME, mapi.DISPLAY_NAME))), ""
        )
        is_mail = any(file.names_below(place + _EMBEDDED))
        if number >= MAX_ATTACHMENTS or (is_mail and depth >= _MAX_DEPTH):
            # It is listed, but not opened.
            yield _leaf("application/octet-stream", b"", name=clean(name))
            continue
        if is_mail:
            yield MIMEMessage(_mail(file, place + _EMBEDDED, depth=depth + 1, code_page=message.code_page))
            continue
        kind = properties.text(mapi.ATTACHED_TYPE).strip().lower()
        known = kind if _TYPE.fullmatch(kind) and not kind.startswith(("multipart/", "message/")) else ""
        yield _leaf(known or "application/octet-stream", properties.binary(mapi.ATTACHED), name=clean(name))


def _leaf(kind: str, content: bytes, *, charset: str | None = None, name: str | None = None) -> MIMEBase:
    main, sub = kind.split("/", 1)
    leaf = MIMEBase(main, sub, charset=charset) if charset else MIMEBase(main, sub)
    leaf.set_payload(content)
    encode_base64(leaf)
    if name is not None:
        leaf.add_header("Content-Disposition", "attachment", filename=("utf-8", "", name or "attachment"))
    return leaf
