"""Presentations (pptx and related types): one page per slide, its shapes in reading order, then notes and comments."""

from collections.abc import Iterator

from docsieve.parsers.flow.blocks import Block, NewPage, Paragraph
from docsieve.parsers.office.markup import Element, child, children, number, part, relation_id, required_part, within
from docsieve.parsers.office.ooxml.opc import Relation, relations_of, targets
from docsieve.parsers.office.ooxml.slides.backgrounds import Backgrounds
from docsieve.parsers.office.ooxml.slides.shape_text import body_text, set_slide_number, shape_blocks
from docsieve.parsers.office.ooxml.slides.shapes import Placeholders, placeholder_kind, shapes_in_reading_order
from docsieve.parsers.office.package import Package

_NOTES_TEXT = frozenset({"body"})
_EMU_A_POINT = 12_700


def slide_blocks(package: Package, name: str) -> Iterator[Block]:
    root = required_part(package, name)
    relations = relations_of(package, name)
    placeholders, backgrounds = Placeholders(package), Backgrounds(package, root)
    listed = child(root, "sldSz")
    size = number(listed, "cx") / _EMU_A_POINT, number(listed, "cy") / _EMU_A_POINT
    for place, slide in enumerate(_slides(root, relations), start=number(root, "firstSlideNum", 1)):
        yield NewPage(slide=size)
        shapes = part(package, slide)
        if shapes is not None:
            set_slide_number(shapes, place)
            own = relations_of(package, slide)
            yield from _slide(package, shapes, own, placeholders)
            yield from backgrounds.behind(shapes, own, place)
            yield from _remarks(package, own)


def _slides(root: Element, relations: dict[str, Relation]) -> list[str]:
    """Return the slides in presentation order, or in that of the relations if the list is lost."""
    listed = child(root, "sldIdLst")
    ids = [relation_id(element) or "" for element in listed] if listed is not None else []
    shown = [relations[slide].target for slide in ids if slide in relations]
    return shown or targets(relations, "slide")


def _slide(
    package: Package, root: Element, relations: dict[str, Relation], placeholders: Placeholders
) -> Iterator[Block]:
    tree = child(root, "cSld", "spTree")
    if tree is not None:
        for shape in shapes_in_reading_order(tree, placeholders.of(relations)):
            yield from shape_blocks(package, shape, relations)


def _remarks(package: Package, relations: dict[str, Relation]) -> Iterator[Block]:
    for notes in targets(relations, "notesSlide"):
        if text := _notes(package, notes):
            yield Paragraph(f"Notes: {text}")
    for comments in targets(relations, "comments"):
        yield from _comments(package, comments)


def _notes(package: Package, name: str) -> str:
    root = part(package, name)
    texts = []
    for shape in within(root, "sp") if root is not None else ():
        body = child(shape, "txBody")
        if body is not None and placeholder_kind(shape) in _NOTES_TEXT:
            texts.append(body_text(body))
    return "\n".join(texts).strip()


def _comments(package: Package, name: str) -> Iterator[Block]:
    root = part(package, name)
    for comment in within(root, "cm", "reply") if root is not None else ():
        plain, body = child(comment, "text"), next(children(comment, "txBody"), None)
        text = (plain.text or "") if plain is not None else body_text(body) if body is not None else ""
        if text.strip():
            yield Paragraph(f"Comment: {text.strip()}")
