"""A look at a file by other means than our parsers: whether there is text in it, and whether it is locked.

Crude on purpose. It says yes only where the text lies open, and None wherever it cannot tell.
"""

import re
import zipfile
from pathlib import Path

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PART = "EncryptedPackage".encode("utf-16-le")
_ODF_LIST = "META-INF/manifest.xml"
_PLAIN = frozenset({".txt", ".md", ".csv", ".json", ".vtt", ".eml"})
_MARKUP = frozenset({".html", ".xml"})
# Parts of office files and the elements that contain their text.
_PARTS = re.compile(r"word/document\.xml|ppt/slides/slide\d+\.xml|xl/sharedStrings\.xml")
_TEXT_ELEMENT = re.compile(rb"<(?:\w+:)?t(?: [^>]*)?>[^<]*\w[^<]*</")
_ODF_BODY = re.compile(rb"<office:body.*</office:body>", re.DOTALL)
_SILENT = re.compile(
    rb"<!--.*?-->|<!DOCTYPE.*?>|<(script|style|head|title)\b.*?</\1>|<\?.*?\?>", re.DOTALL | re.IGNORECASE
)
_TAG = re.compile(rb"<[^>]*>")
_WORD = re.compile(rb"\w")


def is_locked(path: Path) -> bool:
    """Encrypted as a whole, a Microsoft file lies in a container of the older kind; an OpenDocument says so itself."""
    content = path.read_bytes()
    if content.startswith(_OLE):
        return _ENCRYPTED_PART in content
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return _ODF_LIST in archive.namelist() and b"encryption-data" in archive.read(_ODF_LIST)


def text_inside(path: Path) -> bool | None:
    content = path.read_bytes()
    if path.suffix in _PLAIN:
        return bool(_WORD.search(content)) or None
    if path.suffix in _MARKUP:
        return bool(_WORD.search(_TAG.sub(b"", _SILENT.sub(b"", content)))) or None
    if zipfile.is_zipfile(path):
        return _text_in_parts(path)
    return None


def _text_in_parts(path: Path) -> bool | None:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if _PARTS.fullmatch(name) and _TEXT_ELEMENT.search(archive.read(name)):
                return True
            if name == "content.xml" and (body := _ODF_BODY.search(archive.read(name))):
                return bool(_WORD.search(_TAG.sub(b"", body[0]))) or None
    return None
