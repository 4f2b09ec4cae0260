"""Rich text format."""

from pathlib import Path

from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions

_MOST_BYTES = 256 * 1024**2


class RtfParser:
    name = "rtf"
    version = "1"
    uses_ocr = False
    media_types = frozenset({"application/rtf"})

    def sniff(self, head: bytes) -> str | None:
        return "application/rtf" if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{\\rt") else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        from docsieve.parsers.text.rtf_text import blocks_of_rtf

        if source.stat().st_size > _MOST_BYTES:
            raise CorruptDocument(f"The document is larger than the {_MOST_BYTES // 1024**2} MB that are read of RTF.")
        return reading_of(blocks_of_rtf(source.read_bytes()), options)
