"""The text of one Word paragraph as a reader sees it: insertions yes, deletions and field codes no."""

from collections.abc import Callable
from dataclasses import dataclass, field

from docsieve.parsers.office.markup import Element, attribute, child, children, name_of, number, relation_id

PAGE_BREAK = "\f"

# Placeholders for notes: only the reader of the document knows their numbers.
NoteMark = Callable[[str, str], str]

_SKIPPED = frozenset(
    {
        "del", "moveFrom", "instrText", "delText", "delInstrText", "rPr", "pPr", "fldData", "rt", "sdtPr", "sdtEndPr",
        "annotationRef", "footnoteRef", "endnoteRef", "Fallback", "sectPr", "tblPr",
    }
)  # fmt: skip
_CHARACTERS = {"tab": "\t", "ptab": "\t", "cr": "\n", "noBreakHyphen": "-", "lastRenderedPageBreak": PAGE_BREAK}
_SYMBOLS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0FC: "✓", 0xF0FB: "✗", 0xF0FE: "☒", 0xF0A8: "☐", 0xF06F: "☐", 0xF0E0: "→"}
_OFF = frozenset({"0", "false", "off"})


@dataclass(slots=True)
class ParagraphText:
    """`boxes` are the text boxes anchored in it, `figures` the relations of its charts and diagrams."""

    parts: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)


def paragraph_text(paragraph: Element, note_mark: NoteMark) -> ParagraphText:
    found = ParagraphText()
    _gather(paragraph, found, note_mark)
    return found


def chosen(alternatives: Element) -> Element | None:
    """Return the first of several alternative renderings that has content."""
    branches = [branch for branch in children(alternatives, "Choice", "Fallback") if len(branch)]
    return branches[0] if branches else None


def _gather(element: Element, found: ParagraphText, note_mark: NoteMark) -> None:
    for inner in element:
        name = name_of(inner)
        if name == "t":
            found.parts.append(inner.text or "")
        elif name in _CHARACTERS:
            found.parts.append(_CHARACTERS[name])
        elif name == "br":
            found.parts.append(PAGE_BREAK if attribute(inner, "type") == "page" else "\n")
        elif name == "sym":
            found.parts.append(_symbol(inner))
        elif name == "fldChar":
            found.parts.append(_form_field(inner))
        elif name in ("footnoteReference", "endnoteReference"):
            found.parts.append(note_mark(name.removesuffix("Reference"), attribute(inner, "id") or ""))
        elif name == "txbxContent":
            found.boxes.append(inner)
        elif name == "AlternateContent":
            if (branch := chosen(inner)) is not None:
                _gather(branch, found, note_mark)
        elif name in ("chart", "relIds"):
            found.figures.extend(filter(None, (relation_id(inner), relation_id(inner, "dm"))))
        elif name and name not in _SKIPPED and not (name == "r" and _hidden(inner)):
            _gather(inner, found, note_mark)


def _hidden(run: Element) -> bool:
    vanish = child(run, "rPr", "vanish")
    return vanish is not None and (attribute(vanish, "val") or "1").lower() not in _OFF


def _symbol(element: Element) -> str:
    try:
        code = int(attribute(element, "char") or "", 16)
    except ValueError:
        return ""
    if code in _SYMBOLS:
        return _SYMBOLS[code]
    # Symbol fonts have their glyphs in the private use area, where codes have no meaning.
    return "" if 0xE000 <= code <= 0xF8FF or code > 0xFFFF else chr(code)


def _form_field(character: Element) -> str:
    """Return the state of a check box or drop-down list, which has no text."""
    check_box = child(character, "ffData", "checkBox")
    if check_box is not None:
        state = child(check_box, "checked")
        state = state if state is not None else child(check_box, "default")
        checked = state is not None and (attribute(state, "val") or "1").lower() not in _OFF
        return "☒" if checked else "☐"
    choices = child(character, "ffData", "ddList")
    if choices is None:
        return ""
    entries = [attribute(entry, "val") or "" for entry in children(choices, "listEntry")]
    choice = number(child(choices, "result"), "val")
    return entries[choice] if 0 <= choice < len(entries) else ""
