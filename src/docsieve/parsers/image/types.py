"""Image types by their first bytes: the media type, and which of Pillow's readers may open it."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ImageType:
    """`formats` are Pillow's names; `many_pages` says that further frames are pages, not an animation."""

    media_type: str
    magic: re.Pattern[bytes]
    formats: tuple[str, ...]
    many_pages: bool = False


def _starting(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"\A(?:" + pattern + rb")", re.DOTALL)


# The type of an ISO media file is its brand, or that of a compatible one where the brand only says "some image".
_AVIF = rb"....ftyp(?:avi[fs]|(?:mif1|msf1|miaf)(?:....){1,8}?avi[fs])"
_HEIC = rb"....ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1|miaf)"
# Two letters do not identify a bitmap: the header must also state a valid header size.
_BMP = rb"BM.{12}(?:[\x0c\x10\x28\x34\x38\x40\x6c\x7c])\x00\x00\x00"
_ICO = rb"\x00\x00\x01\x00[\x01-\x40]\x00...\x00[\x00-\x01]\x00"
_PNM = rb"P[1-6]\s(?:\s*#[^\n]*\n)*\s*[-+]?\d+\s+[-+]?\d+\s"

TYPES = (
    ImageType("image/png", _starting(rb"\x89PNG\r\n\x1a\n"), ("PNG",)),
    ImageType("image/jpeg", _starting(rb"\xff\xd8\xff"), ("JPEG",)),
    ImageType("image/tiff", _starting(rb"II[\x2a\x2b]\x00|MM\x00[\x2a\x2b]"), ("TIFF",), many_pages=True),
    ImageType("image/webp", _starting(rb"RIFF....WEBP"), ("WEBP",)),
    ImageType("image/gif", _starting(rb"GIF8[79]a"), ("GIF",)),
    ImageType("image/bmp", _starting(_BMP), ("BMP",)),
    ImageType("image/jp2", _starting(rb"\x00\x00\x00\x0cjP  \r\n\x87\n|\xff\x4f\xff\x51\x00"), ("JPEG2000",)),
    ImageType("image/avif", _starting(_AVIF), ("AVIF",)),
    ImageType("image/heic", _starting(_HEIC), ("HEIF",)),
    ImageType("image/x-portable-anymap", _starting(_PNM), ("PPM",)),
    ImageType("image/vnd.adobe.photoshop", _starting(rb"8BPS\x00\x01"), ("PSD",)),
    ImageType("image/vnd.microsoft.icon", _starting(_ICO), ("ICO",)),
)


# Most documents are no images, which one search finds out.
_ANY = _starting(b"|".join(known.magic.pattern for known in TYPES))


def type_of(head: bytes) -> ImageType | None:
    if not _ANY.match(head):
        return None
    return next((known for known in TYPES if known.magic.match(head)), None)
