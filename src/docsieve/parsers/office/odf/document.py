"""Opens an OpenDocument file and reads it according to its body."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from docsieve.domain.pages.page import DocumentInfo
from docsieve.domain.text import clean
from docsieve.errors import CorruptDocument, TooLarge, UnsupportedType
from docsieve.parsers.flow.blocks import Block
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.office.markup import Element, child, name_of, parse, within
from docsieve.parsers.office.odf.encryption import unlocked
from docsieve.parsers.office.odf.sheets import spreadsheet_blocks
from docsieve.parsers.office.odf.slides import presentation_blocks
from docsieve.parsers.office.odf.styles import OdfStyles
from docsieve.parsers.office.odf.text import text_blocks
from docsieve.parsers.office.odf.types import BY_BODY, FAMILIES, flat_type
from docsieve.parsers.office.package import PART_BYTES, Package
from docsieve.parsers.office.zip_head import LOCAL_SIGNATURE
from docsieve.parsers.port import Reading, ReadOptions

_MAX_PROPERTY_LENGTH = 4000
_PROPERTIES = {"subject": "subject", "keyword": "keywords", "description": "description", "date": "modified"}


def read(source: Path, options: ReadOptions) -> Reading:
    with source.open("rb") as file:
        if file.read(len(LOCAL_SIGNATURE)) == LOCAL_SIGNATURE:
            return _read_package(unlocked(Package(file), options.password), options)
        file.seek(0)
        content = file.read(PART_BYTES + 1)
    if len(content) > PART_BYTES:
        raise TooLarge(f"The document is larger than {PART_BYTES // 1024**2} MB of XML.")
    return _read_flat(content, options)


def _read_package(package: Package, options: ReadOptions) -> Reading:
    if "content.xml" not in package:
        raise UnsupportedType("The document is a package, but not a text, spreadsheet or presentation.")
    media_type = package.read("mimetype", 1024).strip().decode("ascii", "replace")
    info = _info(parse(package.read("meta.xml")))
    # Only sheets are streamed, so for them the stated type is trusted before the content is parsed.
    root = None if FAMILIES.get(media_type) == "spreadsheet" else parse(package.read("content.xml"))
    if root is not None:
        media_type = _media_type(root, media_type)
    elif media_type not in FAMILIES:
        raise CorruptDocument("The main part of the document is missing or damaged.")
    if FAMILIES[media_type] == "spreadsheet":
        blocks = spreadsheet_blocks(package.stream("content.xml"))
    elif root is None:
        raise CorruptDocument("The main part of the document is missing or damaged.")
    else:
        blocks = _blocks(root, media_type, OdfStyles(root, parse(package.read("styles.xml"))))
    return reading_of(blocks, options, info=info, media_type=media_type)


def _read_flat(content: bytes, options: ReadOptions) -> Reading:
    root = parse(content)
    if root is None:
        raise CorruptDocument("The document is damaged and cannot be opened.")
    media_type = _media_type(root, "")
    if FAMILIES[media_type] == "spreadsheet":
        blocks = spreadsheet_blocks(BytesIO(content))
    else:
        blocks = _blocks(root, media_type, OdfStyles(root, None))
    return reading_of(blocks, options, info=_info(root), media_type=flat_type(media_type))


def _media_type(root: Element, stated: str) -> str:
    """Return the type that the body shows. Older files have no such element and only state their type."""
    body = child(root, "body")
    shown = (
        next((BY_BODY[name_of(inner)] for inner in body if name_of(inner) in BY_BODY), None)
        if body is not None
        else None
    )
    if shown is not None and FAMILIES.get(stated) == FAMILIES[shown]:
        return stated
    if shown is None and stated not in FAMILIES:
        raise UnsupportedType("The document is a package, but not a text, spreadsheet or presentation.")
    return shown or stated


def _blocks(root: Element, media_type: str, styles: OdfStyles) -> Iterator[Block]:
    body = child(root, "body")
    if body is None:
        return iter(())
    content = next((inner for inner in body if name_of(inner) in BY_BODY), body)
    if FAMILIES[media_type] == "text":
        return text_blocks(content, styles)
    return presentation_blocks(content, styles)


def _info(root: Element | None) -> DocumentInfo:
    meta = next(within(root, "meta"), None) if root is not None else None
    texts: dict[str, str] = {}
    for element in meta if meta is not None else ():
        if text := clean(element.text or "").strip()[:_MAX_PROPERTY_LENGTH]:
            texts.setdefault(name_of(element), text)
    return DocumentInfo(
        title=texts.get("title"),
        author=texts.get("initial-creator") or texts.get("creator"),
        created=texts.get("creation-date"),
        properties={shown: texts[name] for name, shown in _PROPERTIES.items() if name in texts},
    )
