"""Reads rich text (RTF)."""

from pathlib import Path

from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.text.rtf_text import blocks_of_rtf

_MAX_BYTES = 256 * 1024**2


def read(source: Path, options: ReadOptions) -> Reading:
    if source.stat().st_size > _MAX_BYTES:
        raise CorruptDocument(f"The document is larger than {_MAX_BYTES // 1024**2} MB, the limit for RTF.")
    return reading_of(blocks_of_rtf(source.read_bytes()), options)
