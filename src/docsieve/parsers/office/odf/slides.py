"""OpenDocument presentations and drawings: one page per slide, its shapes in reading order, then its notes."""

import re
from collections.abc import Iterable, Iterator

from docsieve.parsers.flow.blocks import Block, Heading, NewPage, Paragraph
from docsieve.parsers.office.markup import Element, attribute, children, name_of, within
from docsieve.parsers.office.odf.paragraphs import plain_text
from docsieve.parsers.office.odf.styles import OdfStyles
from docsieve.parsers.office.odf.text import OdfReader
from docsieve.parsers.office.ooxml.slides.shapes import Shape, in_reading_order

_SHAPES = frozenset(
    {
        "frame",
        "custom-shape",
        "rect",
        "ellipse",
        "circle",
        "connector",
        "line",
        "path",
        "polygon",
        "polyline",
        "caption",
    }
)
# The other placeholders of a master have prompts, or fields that differ on every slide.
_WRITTEN_BEHIND = frozenset({None, "header", "footer"})
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)\s*(cm|mm|in|pt|pc|px)?")
_TRANSLATION = re.compile(r"translate\s*\(\s*(\S+?)[\s,]+([^\s)]+)")
_EMU = {"cm": 360_000.0, "mm": 36_000.0, "in": 914_400.0, "pt": 12_700.0, "pc": 152_400.0, "px": 9_525.0}


def presentation_blocks(content: Element, styles: OdfStyles) -> Iterator[Block]:
    """The texts of a master are yielded once, with its first slide."""
    given: set[str | None] = set()
    for page in children(content, "page"):
        name = attribute(page, "master-page-name")
        width, height = styles.page_size(name)
        yield NewPage(slide=(_emu(width) / _EMU["pt"], _emu(height) / _EMU["pt"]))
        yield from _slide(page, OdfReader(styles))
        master = styles.master(name) if name not in given else None
        given.add(name)
        if master is not None:
            yield from _behind(master, OdfReader(styles))


def _behind(master: Element, reader: OdfReader) -> Iterator[Block]:
    for shape in in_reading_order(_shapes(master)):
        is_number = next(within(shape.element, "page-number"), None) is not None
        if shape.kind in _WRITTEN_BEHIND and not is_number and plain_text(shape.element):
            yield from reader.inside(shape.element)


def _slide(page: Element, reader: OdfReader) -> Iterator[Block]:
    for shape in in_reading_order(_shapes(page)):
        if shape.is_title:
            if text := plain_text(shape.element):
                yield Heading(text)
        else:
            yield from reader.inside(shape.element)
    for notes in children(page, "notes"):
        for frame in children(notes, "frame"):
            if attribute(frame, "class") == "notes" and (text := plain_text(frame)):
                yield Paragraph(f"Notes: {text}")
    for annotation in children(page, "annotation"):
        if text := plain_text(annotation):
            yield Paragraph(f"Comment: {text}")
    yield from reader.ends()


def _shapes(holder: Iterable[Element]) -> Iterator[Shape]:
    for element in holder:
        name = name_of(element)
        if name in ("g", "a"):
            yield from _shapes(element)
        elif name in _SHAPES:
            left, top = _place(element)
            yield Shape(element, left, top, attribute(element, "class"))


def _place(element: Element) -> tuple[float, float]:
    moved = _TRANSLATION.search(attribute(element, "transform") or "")
    x, y = moved.groups() if moved else (attribute(element, "x") or "", attribute(element, "y") or "")
    return _emu(x), _emu(y)


def _emu(length: str) -> float:
    match = _LENGTH.match(length)
    return float(match.group(1)) * _EMU[match.group(2) or "cm"] if match else 0.0
