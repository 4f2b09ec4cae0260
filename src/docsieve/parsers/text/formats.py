"""Plain text and rich text (RTF)."""

from docsieve.parsers.format import Format
from docsieve.parsers.text.encodings import looks_like_text


def _sniff_text(head: bytes) -> str | None:
    return "text/plain" if looks_like_text(head) else None


def _sniff_rtf(head: bytes) -> str | None:
    return "application/rtf" if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{\\rt") else None


TEXT = Format(
    name="text",
    version="2",
    media_types=frozenset({"text/plain"}),
    sniff=_sniff_text,
    reader="docsieve.parsers.text.plain",
)

RTF = Format(
    name="rtf",
    version="1",
    media_types=frozenset({"application/rtf"}),
    sniff=_sniff_rtf,
    reader="docsieve.parsers.text.rtf",
    begins=b" \t\r\n{",
)
