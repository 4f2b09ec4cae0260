"""The parts of a mail: its text and its attachments."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from email.generator import BytesGenerator
from email.message import Message
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias

from docsieve.domain.pages.page import MAX_NAMES_LEFT_OUT, AttachmentEntry, DocumentInfo
from docsieve.domain.text import clean
from docsieve.parsers.flow.blocks import Block, Grid, GridCell, Paragraph
from docsieve.parsers.mail import headers
from docsieve.parsers.port import MAX_ATTACHMENTS, Attachment
from docsieve.parsers.text.encodings import decode
from docsieve.parsers.web.html_blocks import html_blocks

_MAX_PARTS = 10_000
_SIGNATURES = frozenset({"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"})

if TYPE_CHECKING:
    Mail: TypeAlias = Message[str, str]
else:
    Mail = Message  # only type checkers may give it parameters


@dataclass(slots=True)
class Contents:
    """The bodies in order, with the best of alternatives. `parts_left_out` counts those beyond the limit."""

    bodies: list[Mail] = field(default_factory=list)
    attached: list[Mail] = field(default_factory=list)
    parts_left_out: int = 0


def contents_of(message: Mail) -> Contents:
    found = Contents()
    for part in _chosen(message):
        if len(found.bodies) + len(found.attached) < _MAX_PARTS:
            _place(part, found)
        else:
            found.parts_left_out += 1
    return found


def _chosen(part: Mail) -> Iterator[Mail]:
    """Yield the leaves of a mail without rejected alternatives. A nested mail or report is one leaf."""
    if part.get_content_maintype() == "message" or not part.is_multipart():
        yield part
        return
    inner = [child for child in part.get_payload() if isinstance(child, Message)]
    if part.get_content_type() == "multipart/alternative":
        inner = _best_alternative(inner)
    for child in inner:
        yield from _chosen(child)


def _best_alternative(parts: list[Mail]) -> list[Mail]:
    """By the standard, the last one is the richest; plain text is easier to read unless it has far less text."""
    plain = next((part for part in parts if part.get_content_type() == "text/plain"), None)
    richest = next((part for part in reversed(parts) if _is_rich(part)), None)
    if plain is not None and richest is not None:
        return [plain] if _says(plain) * 2 >= _says(richest) else [richest]
    return [part for part in (richest, plain) if part is not None] or parts[-1:]


def _is_rich(part: Mail) -> bool:
    return part.get_content_type() == "text/html" or part.get_content_maintype() == "multipart"


def _says(part: Mail) -> int:
    return sum(len(block.text) for leaf in _chosen(part) for block in body_blocks(leaf) if isinstance(block, Paragraph))


def _place(part: Mail, found: Contents) -> None:
    kind, disposition = part.get_content_type(), part.get_content_disposition()
    named = part.get_filename() is not None
    if kind in _SIGNATURES:
        return
    if part.get_content_maintype() == "multipart":
        found.bodies.append(part)  # it claims to be multipart, but has no parts
    elif (
        kind in ("text/plain", "text/html", "text/enriched", "text/calendar")
        and disposition != "attachment"
        and not (named and disposition is None and found.bodies)
    ):
        found.bodies.append(part)
    elif kind.startswith("message/") and kind not in ("message/rfc822", "message/partial"):
        found.bodies.append(part)  # a report about a delivery
    elif disposition == "inline" and part.get("Content-ID") is not None and part.get_content_maintype() == "image":
        return  # an image shown in the text, such as a logo
    elif part.get("Content-Location") is not None and disposition is None:
        return  # a resource of a saved web page
    elif disposition is not None or named or kind == "message/rfc822" or part.get_content_maintype() != "image":
        found.attached.append(part)


def header_grid(message: Mail) -> Grid:
    return Grid([[GridCell(f"{name}:", header=True), GridCell(text)] for name, text in headers.shown(message)])


def body_blocks(part: Mail) -> list[Block]:
    if part.is_multipart():
        return [Paragraph(clean(str(inner)).strip()) for inner in part.get_payload() if isinstance(inner, Message)]
    content = bytes_of(part)
    charset = part.get_content_charset()
    if part.get_content_type() == "text/html":
        return list(html_blocks(content, charset))
    text = clean(decode(content, charset)).replace("\r\n", "\n")
    return [Paragraph(paragraph) for paragraph in text.split("\n\n") if paragraph.strip()]


def bytes_of(part: Mail) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def blocks_of_mail(message: Mail, found: Contents) -> Iterator[Block]:
    yield header_grid(message)
    for part in found.bodies:
        yield from body_blocks(part)
    names = [f"• {entry.name}" for entry in entries(found)]
    yield from (Paragraph(name, listed=True) for name in names)


def entries(found: Contents) -> list[AttachmentEntry]:
    return [
        AttachmentEntry(_name(part, number), len(_content(part)), part.get_content_type())
        for number, part in enumerate(found.attached[:MAX_ATTACHMENTS], 1)
    ]


def attachments(found: Contents) -> Iterator[Attachment]:
    for number, part in enumerate(found.attached[:MAX_ATTACHMENTS], 1):
        yield Attachment(_name(part, number), _content(part), part.get_content_type())


def info_of(message: Mail, found: Contents) -> DocumentInfo:
    info = DocumentInfo(
        title=headers.text_of(message, "Subject") or None,
        author=headers.text_of(message, "From") or None,
        created=headers.date_of(message),
        properties={name: text for name, text in headers.shown(message) if name in ("To", "Cc", "Reply-To")},
        attachments=entries(found),
    )
    leave_out(info, found.attached[MAX_ATTACHMENTS:], found.parts_left_out)
    return info


def leave_out(info: DocumentInfo, attached: list[Mail], parts: int) -> None:
    names = [_name(part, number) for number, part in enumerate(attached[:MAX_NAMES_LEFT_OUT], MAX_ATTACHMENTS + 1)]
    info.leave_out("attachments", len(attached), names)
    info.leave_out("parts", parts)


def _name(part: Mail, number: int) -> str:
    given = part.get_filename() or part.get_param("name", header="content-type")
    if given and (name := headers.plain(given)):
        return name
    if part.get_content_type() == "message/rfc822" and (inner := _inner(part)) is not None:
        return f"{headers.text_of(inner, 'Subject')[:150] or f'message {number}'}.eml"
    return f"attachment {number}"


def _content(part: Mail) -> bytes:
    inner = _inner(part)
    if inner is None:
        return bytes_of(part)
    written = BytesIO()
    try:
        BytesGenerator(written, mangle_from_=False).flatten(inner)
    except (UnicodeError, LookupError, TypeError, AttributeError, KeyError):
        # An unknown encoding cannot be written again, but may still be available as it came.
        return inner.as_string().encode("utf-8", "surrogateescape")
    return written.getvalue()


def _inner(part: Mail) -> Mail | None:
    if part.get_content_type() != "message/rfc822" or not part.is_multipart():
        return None
    payload = part.get_payload()
    first = payload[0] if isinstance(payload, list) and payload else None
    return first if isinstance(first, Message) else None
