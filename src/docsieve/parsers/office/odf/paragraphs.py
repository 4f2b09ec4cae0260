"""The text of one OpenDocument paragraph, with its anchored notes, comments and text boxes."""

import re
from dataclasses import dataclass, field

from docsieve.parsers.office.markup import Element, attribute, child, name_of, number, within

PAGE_BREAK = "\f"

_SPACES = re.compile(r"[ \t\r\n]+")
_MAX_SPACES = 100
_CHARACTERS = {"tab": "\t", "tab-stop": "\t", "line-break": "\n", "soft-page-break": PAGE_BREAK}
_SKIPPED = frozenset({"ruby-text", "tracked-changes", "desc", "binary-data", "script", "event-listeners"})
_SHAPES = frozenset(
    {"frame", "text-box", "custom-shape", "rect", "ellipse", "circle", "g", "connector", "line", "path", "polygon"}
)


@dataclass(slots=True)
class OdfParagraph:
    """`notes` include their marks; `comments` begin with the names of their authors."""

    parts: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)


def paragraph_of(element: Element) -> OdfParagraph:
    found = OdfParagraph()
    _gather(element, found)
    return found


def plain_text(element: Element) -> str:
    """Return all paragraphs of an element, one per line."""
    lines = (paragraph_of(inner).text.replace(PAGE_BREAK, "") for inner in within(element, "p", "h"))
    return "\n".join(lines).strip()


def _gather(element: Element, found: OdfParagraph) -> None:
    _add(element.text, found)
    for inner in element:
        name = name_of(inner)
        if name in _CHARACTERS:
            found.parts.append(_CHARACTERS[name])
        elif name == "s":
            found.parts.append(" " * min(max(1, number(inner, "c", 1)), _MAX_SPACES))
        elif name in ("note", "footnote", "endnote"):
            _add_note(inner, found)
        elif name == "annotation":
            _add_comment(inner, found)
        elif name in _SHAPES:
            found.boxes.append(inner)
        elif name and name not in _SKIPPED:
            _gather(inner, found)
        _add(inner.tail, found)


def _add(text: str | None, found: OdfParagraph) -> None:
    if text:
        found.parts.append(_SPACES.sub(" ", text))


def _add_note(note: Element, found: OdfParagraph) -> None:
    citation = next(within(note, "note-citation", "footnote-citation", "endnote-citation"), None)
    body = next(within(note, "note-body", "footnote-body", "endnote-body"), None)
    label = (attribute(citation, "label") or citation.text or "*") if citation is not None else "*"
    found.parts.append(f"[{label}]")
    if body is not None:
        found.notes.append(f"[{label}] {plain_text(body)}")


def _add_comment(annotation: Element, found: OdfParagraph) -> None:
    text = plain_text(annotation)
    creator = child(annotation, "creator")
    author = (creator.text or "") if creator is not None else ""
    if text:
        found.comments.append(f"Comment by {author}: {text}" if author else f"Comment: {text}")
