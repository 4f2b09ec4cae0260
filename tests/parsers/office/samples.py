"""Office documents made by hand, small enough to be read with the tests."""

import random
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from msoffcrypto.format.ooxml import OOXMLFile

_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT_RELATION = "http://purl.oclc.org/ooxml/officeDocument/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_STRICT_WORD = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_OFFICE = "application/vnd.openxmlformats-officedocument"

EVERYONES_PASSWORD = "VelvetSweatshop"

Parts = dict[str, str | bytes]


def write_zip(path: Path, parts: Parts) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def write_package(path: Path, main: str, content_type: str, parts: Parts, *, strict: bool = False) -> Path:
    """An OOXML package whose main part is `main`."""
    relation = _STRICT_RELATION if strict else _RELATION
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Override PartName="/{main}" ContentType="{content_type}"/></Types>'
    )
    root = relations({"rId1": (f"{relation}/officeDocument", main)})
    return write_zip(path, {"[Content_Types].xml": types, "_rels/.rels": root, **parts})


def relations(targets: dict[str, tuple[str, str]]) -> str:
    """By id: a kind (or a whole type) and a target."""
    inner = "".join(
        f'<Relationship Id="{key}" Type="{kind if "/" in kind else f"{_RELATION}/{kind}"}" Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{inner}</Relationships>'
    )


def word_part(inner: str, *, root: str = "document", strict: bool = False) -> str:
    """A part of a Word document with the namespaces that its content needs."""
    word, relation = (_STRICT_WORD, _STRICT_RELATION) if strict else (_WORD, _RELATION)
    return (
        f'<w:{root} xmlns:w="{word}" xmlns:r="{relation}" xmlns:v="urn:schemas-microsoft-com:vml" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        f'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">{inner}</w:{root}>'
    )


def write_docx(path: Path, body: str, *, parts: Parts | None = None, strict: bool = False) -> Path:
    document = word_part(f"<w:body>{body}</w:body>", strict=strict)
    content_type = f"{_OFFICE}.wordprocessingml.document.main+xml"
    return write_package(
        path, "word/document.xml", content_type, {"word/document.xml": document, **(parts or {})}, strict=strict
    )


def paragraph(text: str, properties: str = "") -> str:
    inner = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    return f'<w:p>{inner}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def write_xlsx(path: Path, sheets: dict[str, str], *, styles: str = "", strings: list[str] | None = None) -> Path:
    """Sheets by name, with the XML inside the worksheet."""
    targets = {f"rId{place}": ("worksheet", f"worksheets/sheet{place}.xml") for place in range(1, len(sheets) + 1)}
    targets |= {"rIdStyles": ("styles", "styles.xml"), "rIdStrings": ("sharedStrings", "sharedStrings.xml")}
    listed = "".join(
        f'<sheet name="{name}" sheetId="{place}" r:id="rId{place}" state="{_state(name)}"/>'
        for place, name in enumerate(sheets, start=1)
    )
    items = "".join(f"<si><t>{text}</t></si>" for text in strings or [])
    parts: Parts = {
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_RELATION}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(targets),
        "xl/styles.xml": f'<styleSheet xmlns="{_SHEET}">{styles}</styleSheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{_SHEET}">{items}</sst>',
    }
    for place, inner in enumerate(sheets.values(), start=1):
        parts[f"xl/worksheets/sheet{place}.xml"] = f'<worksheet xmlns="{_SHEET}">{inner}</worksheet>'
    return write_package(path, "xl/workbook.xml", f"{_OFFICE}.spreadsheetml.sheet.main+xml", parts)


def _state(sheet: str) -> str:
    return "hidden" if "hidden" in sheet else "visible"


def write_pptx(
    path: Path,
    slides: list[str],
    *,
    notes: dict[int, str] | None = None,
    size: str = "",
    first: int = 1,
    master: str = "",
) -> Path:
    """Slides by the XML of their shapes; `size` has the attributes of their size, `master` its shapes."""
    namespaces = f'xmlns:p="{_SLIDE}" xmlns:a="{_DRAWING}" xmlns:r="{_RELATION}"'
    listed = "".join(f'<p:sldId id="{255 + place}" r:id="rId{place}"/>' for place in range(1, len(slides) + 1))
    targets = {f"rId{place}": ("slide", f"slides/slide{place}.xml") for place in range(1, len(slides) + 1)}
    parts: Parts = {
        "ppt/presentation.xml": f"<p:presentation {namespaces} firstSlideNum='{first}'>"
        f"<p:sldIdLst>{listed}</p:sldIdLst>{f'<p:sldSz {size}/>' if size else ''}</p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(targets),
    }
    for place, shapes in enumerate(slides, start=1):
        parts[f"ppt/slides/slide{place}.xml"] = (
            f"<p:sld {namespaces}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        )
        if master:
            target = {"rId1": ("slideLayout", "../slideLayouts/layout.xml")}
            parts[f"ppt/slides/_rels/slide{place}.xml.rels"] = relations(target)
        if text := (notes or {}).get(place):
            target = {"rId1": ("notesSlide", f"../notesSlides/notes{place}.xml")}
            parts[f"ppt/slides/_rels/slide{place}.xml.rels"] = relations(target)
            parts[f"ppt/notesSlides/notes{place}.xml"] = (
                f"<p:notes {namespaces}><p:cSld><p:spTree>{shape(text, kind='body')}</p:spTree></p:cSld></p:notes>"
            )
    if master:
        for name, shapes in (("slideLayouts/layout", ""), ("slideMasters/master", master)):
            parts[f"ppt/{name}.xml"] = f"<p:m {namespaces}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:m>"
        target = {"rId1": ("slideMaster", "../slideMasters/master.xml")}
        parts["ppt/slideLayouts/_rels/layout.xml.rels"] = relations(target)
    return write_package(path, "ppt/presentation.xml", f"{_OFFICE}.presentationml.presentation.main+xml", parts)


def shape(text: str, *, x: int = 0, y: int = 0, kind: str | None = None) -> str:
    """A shape with one paragraph a line; `kind` makes it a placeholder."""
    placeholder = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else "<p:nvPr/>"
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return (
        f'<p:sp><p:nvSpPr>{placeholder}</p:nvSpPr><p:spPr><a:xfrm><a:off x="{x}" y="{y}"/></a:xfrm></p:spPr>'
        f"<p:txBody>{lines}</p:txBody></p:sp>"
    )


def odf_content(kind: str, inner: str, *, styles: str = "", root: str = "document-content", extra: str = "") -> str:
    names = ("office", "text", "table", "draw", "style")
    namespaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    return (
        f'<office:{root} {namespaces} xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" '
        'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" '
        f'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" {extra}>'
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{inner}</office:{kind}></office:body></office:{root}>"
    )


def write_odf(path: Path, kind: str, inner: str, *, styles: str = "", parts: Parts | None = None) -> Path:
    content: Parts = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": odf_content(kind, inner, styles=styles),
    }
    return write_zip(path, content | (parts or {}))


def write_encrypted(path: Path, password: str, plain: Path) -> Path:
    """Lock an OOXML package as Office does."""
    with zipfile.ZipFile(plain, "a") as archive:
        # The library that locks it spoils packages that are very small.
        archive.writestr("customXml/filler.bin", random.Random(1).randbytes(16_384))
    locked = BytesIO()
    with plain.open("rb") as file:
        OOXMLFile(file).encrypt(password, locked)
    path.write_bytes(locked.getvalue())
    return path


def _ooxml(path: Path) -> Path:
    table = "".join(
        f"<w:tr>{''.join(f'<w:tc>{paragraph(text)}</w:tc>' for text in row)}</w:tr>"
        for row in (("Article", "Price"), ("Apples", "12,50 €"))
    )
    return write_docx(path, paragraph("Rechnung Nr. 4711") + f"<w:tbl>{table}</w:tbl>" + paragraph("Grüße aus Köln"))


def _odf(path: Path) -> Path:
    return write_odf(path, "text", "<text:h text:outline-level='1'>Bericht</text:h><text:p>Grüße aus Köln</text:p>")


def _ole(path: Path) -> Path:
    return write_encrypted(path, EVERYONES_PASSWORD, _ooxml(path.with_suffix(".plain")))


SAMPLES: dict[str, Callable[[Path], Path]] = {"ooxml": _ooxml, "odf": _odf, "ole": _ole}
