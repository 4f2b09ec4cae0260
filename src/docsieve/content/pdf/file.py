"""Writes a PDF of scanned pages with invisible text, one page in memory at a time, as PDF/A-2b."""

import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO
from xml.sax.saxutils import escape

from docsieve.content.pdf.font import ADVANCE, ASCENT, DESCENT, Characters, font_file
from docsieve.content.pdf.text_layer import FONT_NAME

if TYPE_CHECKING:
    from PIL.Image import Image

_JPEG_QUALITY = 88
_BASE_FONT = "DOCSVE+DocsieveText"
_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""

_CATALOG, _PAGES, _FONT, _CID_FONT, _DESCRIPTOR, _PROGRAM, _TO_UNICODE, _GLYPHS, _META, _PROFILE, _INTENT = range(1, 12)
_FIRST_FREE = 12


@dataclass(frozen=True, slots=True)
class Picture:
    """A page's pixels as a PDF stream: `entries` say how they are encoded."""

    width: int
    height: int
    entries: Mapping[str, str]
    content: bytes


class ScannedPdf:
    """`add` pages, then `close`. The file is complete only then."""

    def __init__(self, file: BinaryIO, *, title: str) -> None:
        self._file = file
        self._title = title
        self._offsets: dict[int, int] = {}
        self._next = _FIRST_FREE
        self._pages: list[int] = []
        self._size = 0
        self._digest = hashlib.blake2b(digest_size=16)
        self.characters = Characters()
        # four bytes above 127 show that the file is binary
        self._write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")

    def add(self, width: float, height: float, picture: Picture, text: bytes) -> None:
        """A page of this size in points with the picture on all of it, and `text` made with our `characters`."""
        image, content, page = self._next, self._next + 1, self._next + 2
        self._next += 3
        size = {"Width": str(picture.width), "Height": str(picture.height)}
        self._stream(image, {"Type": "/XObject", "Subtype": "/Image", **size, **picture.entries}, picture.content)
        drawn = f"q {width:.4f} 0 0 {height:.4f} 0 0 cm /Scan Do Q\n".encode() + text
        self._stream(content, {"Filter": "/FlateDecode"}, zlib.compress(drawn))
        resources = f"<< /XObject << /Scan {image} 0 R >> /Font << /{FONT_NAME} {_FONT} 0 R >> >>"
        box = f"[0 0 {width:.4f} {height:.4f}]"
        self._object(
            page,
            f"<< /Type /Page /Parent {_PAGES} 0 R /MediaBox {box} /Resources {resources} /Contents {content} 0 R >>",
        )
        self._pages.append(page)

    def close(self) -> None:
        kids = " ".join(f"{page} 0 R" for page in self._pages)
        self._object(_PAGES, f"<< /Type /Pages /Count {len(self._pages)} /Kids [{kids}] >>")
        self._write_font()
        self._stream(_META, {"Type": "/Metadata", "Subtype": "/XML"}, _XMP.format(title=escape(self._title)).encode())
        self._stream(_PROFILE, {"N": "3", "Filter": "/FlateDecode"}, zlib.compress(_srgb()))
        self._object(
            _INTENT,
            "<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB IEC61966-2.1) "
            f"/DestOutputProfile {_PROFILE} 0 R >>",
        )
        self._object(
            _CATALOG,
            f"<< /Type /Catalog /Pages {_PAGES} 0 R /Metadata {_META} 0 R /OutputIntents [{_INTENT} 0 R] >>",
        )
        begin = self._size
        rows = [f"{self._offsets[number]:010d} 00000 n \n" for number in range(1, self._next)]
        self._write(f"xref\n0 {self._next}\n0000000000 65535 f \n{''.join(rows)}".encode())
        name = self._digest.hexdigest()
        trailer = f"<< /Size {self._next} /Root {_CATALOG} 0 R /ID [<{name}> <{name}>] >>"
        self._write(f"trailer\n{trailer}\nstartxref\n{begin}\n%%EOF\n".encode())

    def _write_font(self) -> None:
        for number, entries, content in font_streams(self.characters):
            self._stream({"program": _PROGRAM, "unicode": _TO_UNICODE, "glyphs": _GLYPHS}[number], entries, content)
        self._object(_DESCRIPTOR, f"<< {DESCRIPTOR} /FontFile2 {_PROGRAM} 0 R >>")
        self._object(_CID_FONT, f"<< {CID_FONT} /FontDescriptor {_DESCRIPTOR} 0 R /CIDToGIDMap {_GLYPHS} 0 R >>")
        self._object(_FONT, f"<< {FONT} /DescendantFonts [{_CID_FONT} 0 R] /ToUnicode {_TO_UNICODE} 0 R >>")

    def _object(self, number: int, content: str) -> None:
        self._offsets[number] = self._size
        self._write(f"{number} 0 obj\n{content}\nendobj\n".encode())

    def _stream(self, number: int, entries: Mapping[str, str], content: bytes) -> None:
        self._offsets[number] = self._size
        listed = " ".join(f"/{name} {value}" for name, value in {**entries, "Length": str(len(content))}.items())
        self._write(f"{number} 0 obj\n<< {listed} >>\nstream\n".encode())
        self._write(content)
        self._write(b"\nendstream\nendobj\n")

    def _write(self, content: bytes) -> None:
        self._file.write(content)
        self._digest.update(content)
        self._size += len(content)


FONT = f"/Type /Font /Subtype /Type0 /BaseFont /{_BASE_FONT} /Encoding /Identity-H"
CID_FONT = (
    f"/Type /Font /Subtype /CIDFontType2 /BaseFont /{_BASE_FONT} /DW {ADVANCE} "
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
)
DESCRIPTOR = (
    f"/Type /FontDescriptor /FontName /{_BASE_FONT} /Flags 4 /FontBBox [0 {DESCENT} {ADVANCE} {ASCENT}] "
    f"/ItalicAngle 0 /Ascent {ASCENT} /Descent {DESCENT} /CapHeight {ASCENT} /StemV 80"
)


def font_streams(characters: Characters) -> list[tuple[str, dict[str, str], bytes]]:
    """The streams of the font, by what they are."""
    program = font_file()
    packed = {"Filter": "/FlateDecode"}
    return [
        ("program", {**packed, "Length1": str(len(program))}, zlib.compress(program)),
        ("unicode", packed, zlib.compress(characters.to_unicode())),
        ("glyphs", packed, zlib.compress(characters.glyphs())),
    ]


def picture_of(image: "Image") -> Picture:
    """Black and white stays as it is; everything else becomes a JPEG."""
    if image.mode == "1":
        entries = {"ColorSpace": "/DeviceGray", "BitsPerComponent": "1", "Filter": "/FlateDecode"}
        return Picture(image.width, image.height, entries, zlib.compress(image.tobytes()))
    if image.mode not in ("L", "RGB"):
        image = image.convert("RGB")
    file = BytesIO()
    image.save(file, "JPEG", quality=_JPEG_QUALITY)
    return jpeg_picture(image, file.getvalue())


def jpeg_picture(image: "Image", content: bytes) -> Picture:
    """A JPEG as it is; `image` is what it decodes to."""
    space = "/DeviceGray" if image.mode == "L" else "/DeviceRGB"
    entries = {"ColorSpace": space, "BitsPerComponent": "8", "Filter": "/DCTDecode"}
    return Picture(image.width, image.height, entries, content)


def _srgb() -> bytes:
    from PIL import ImageCms

    profile: bytes = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile
