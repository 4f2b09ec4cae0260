"""Images: scans, photos, screenshots, faxes. Their text is read by OCR."""

from docsieve.parsers.format import RenderedFormat
from docsieve.parsers.image.types import TYPES, type_of


def _sniff(head: bytes) -> str | None:
    found = type_of(head)
    return found.media_type if found else None


IMAGE = RenderedFormat(
    name="image",
    version="3",
    media_types=frozenset(known.media_type for known in TYPES),
    sniff=_sniff,
    reader="docsieve.parsers.image.pages",
    uses_ocr=True,
)
