"""Reads a signed document with the parser of its content. Signatures are not verified."""

from pathlib import Path

from docsieve.errors import UnsupportedType
from docsieve.parsers.port import HEAD_BYTES, Reading, ReadOptions
from docsieve.parsers.registry import detect, parser_for
from docsieve.parsers.signed.cms import binary, signed_content
from docsieve.parsers.signed.format import SIGNED


def read(source: Path, options: ReadOptions) -> Reading:
    content = signed_content(binary(source.read_bytes(), whole=True))
    media_type = detect(content[:HEAD_BYTES])
    if media_type is None or media_type in SIGNED.media_types:
        raise UnsupportedType("The type of the signed document is not supported.")
    inner = Path("signed-content").absolute()
    inner.write_bytes(content)
    reading = parser_for(media_type).read(inner, options)
    reading.media_type = reading.media_type or media_type
    return reading
