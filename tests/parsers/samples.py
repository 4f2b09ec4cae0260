"""A small document for each parser of flowing text, by the parser's name."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def write_epub(path: Path, chapters: dict[str, str | bytes], *, encryption: str | None = None) -> Path:
    """Chapters by their links; the spine names them in the order in which they are given, reverse of how they lie."""
    manifest = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(chapters)))
    metadata = "<dc:title>A Book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Ben</dc:creator>"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr(
            "OEBPS/book.opf",
            f'<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"{metadata}</metadata><manifest>{manifest}</manifest><spine>{spine}</spine></package>",
        )
        for name, content in reversed(chapters.items()):
            archive.writestr(f"OEBPS/{unquote(name)}", content, zipfile.ZIP_DEFLATED)
        if encryption is not None:
            archive.writestr("META-INF/encryption.xml", encryption)
    return path


def chapter(text: str) -> str:
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{text}</body></html>'


def _text(path: Path) -> Path:
    path.write_text("Grüße aus Köln\n\n" + "word " * 500 + "\fLast page\n")
    return path


def _html(path: Path) -> Path:
    path.write_text(
        "<!DOCTYPE html><html><head><title>Bill</title></head><body><h1>Invoice</h1><p>Dear all</p><ul><li>one</ul>"
        "<table><tr><th>Item<th>Price<tr><td rowspan=2>Tea<td>2.50<tr><td>3.50</table></body></html>"
    )
    return path


def _xml(path: Path) -> Path:
    path.write_text('<?xml version="1.0"?><invoice id="7"><to>Ann</to><total currency="EUR">5.00</total></invoice>')
    return path


def _markdown(path: Path) -> Path:
    path.write_text("# Title\n\nSome **bold** words.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    return path


def _epub(path: Path) -> Path:
    return write_epub(path, {"one.xhtml": chapter("<h1>One</h1><p>First</p>"), "two.xhtml": chapter("<p>Second</p>")})


def _csv(path: Path) -> Path:
    path.write_text("name;amount;note\n" + "".join(f"item {n};{n},50;wide note {n}\n" for n in range(250)))
    return path


def _json(path: Path) -> Path:
    path.write_text(
        '{"invoice": {"to": "Ann", "lines": [{"item": "tea", "price": 2.50}, {"item": "cake", "price": 3}]}}'
    )
    return path


SAMPLES: dict[str, Callable[[Path], Path]] = {
    "text": _text,
    "html": _html,
    "xml": _xml,
    "markdown": _markdown,
    "epub": _epub,
    "csv": _csv,
    "json": _json,
}
