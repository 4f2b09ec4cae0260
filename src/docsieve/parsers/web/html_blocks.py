"""A web page as blocks: what a reader sees, in the order of the source.

`html_blocks(content, charset=None)` serves every parser whose documents hold HTML: mail, e-books, Markdown.
"""

import re
from collections.abc import Iterator

from lxml import etree

from docsieve.parsers.flow.blocks import Block, Heading, Paragraph
from docsieve.parsers.web.html_tables import OpenTable, holds_data, name_of, number_of
from docsieve.parsers.web.html_tree import parse_html

# fmt: off
_UNSEEN = frozenset([
    "head", "title", "script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "audio", "video",
    "datalist", "area", "map", "meta", "link", "xml",
])
_BLOCKS = frozenset([
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "html", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "p", "pre", "search", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "xmp",
])
# fmt: on
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "menu"})
_PRESERVED = frozenset({"pre", "listing", "xmp"})
_CONTROLS = frozenset({"img", "input", "select", "textarea"})
_SILENT_INPUTS = frozenset({"hidden", "image", "file", "password"})
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_BLANK_LINES = re.compile(r"\n{2,}")
_LINKS = frozenset({"a", "button"})
_MAX_LIST_DEPTH = 10


def html_blocks(content: bytes | str, charset: str | None = None) -> Iterator[Block]:
    """Yield the blocks of a page or fragment. Without `charset`, the encoding is the declared or detected one."""
    return blocks_of(parse_html(content, charset))


def blocks_of(root: etree._Element) -> Iterator[Block]:
    reader = _Reader()
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if event == "start":
            if _is_seen(element):
                reader.start(element)
            else:
                walk.skip_subtree()
            continue
        if event == "end" and _is_seen(element):
            reader.end(name_of(element))
        if element.tail and element is not root:
            reader.add(element.tail)
        if reader.done:
            yield from reader.take()
    reader.flush()
    yield from reader.take()


def _is_seen(element: etree._Element) -> bool:
    if name_of(element) in _UNSEEN:
        return False
    if not element.attrib:
        return True
    style = element.get("style")
    return element.get("hidden") is None and not (style and _HIDDEN_STYLE.search(style))


class _Reader:
    """Collects inline text until a block begins or ends; inside a table, text goes into its cells."""

    def __init__(self) -> None:
        self.done: list[Block] = []
        self._text: list[str] = []
        self._heading: int | None = None
        self._preserved = 0
        self._lists: list[int | None] = []
        self._marker = ""
        self._tables: list[OpenTable | None] = []
        self._after_link = False

    def take(self) -> list[Block]:
        taken, self.done = self.done, []
        return taken

    def start(self, element: etree._Element) -> None:
        name = name_of(element)
        if name in _BLOCKS:
            self.flush()
            self._start_block(name, element)
        elif name == "br":
            self._text.append("\n")
        elif name in _LINKS and self._after_link:
            # Menus have adjacent links that only their style separates.
            self._text.append(" ")
        elif name in _CONTROLS:
            self._text.append(_shown_value(name, element))
        if element.text and name not in ("select", "textarea", "option"):
            self.add(element.text)

    def end(self, name: str) -> None:
        self._after_link = name in _LINKS
        if name not in _BLOCKS:
            return
        self.flush()
        if name in _PRESERVED:
            self._preserved -= 1
        elif name in _LISTS:
            self._lists.pop()
        elif name == "li":
            self._marker = ""
        elif name in _HEADINGS:
            self._heading = None
        elif name == "table":
            table = self._tables.pop()
            grid = table.close() if table is not None else None
            if grid is not None:
                self.done.append(grid)
        elif name in ("td", "th") and (table := self._table) is not None:
            table.end_cell()

    def add(self, text: str) -> None:
        self._after_link = False
        self._text.append(text if self._preserved else _SPACES.sub(" ", text))

    def flush(self) -> None:
        text = "".join(self._text)
        self._text = []
        if not text or text.isspace():
            return
        if not self._preserved:
            text = "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n")).strip("\n")
        table = self._table
        if table is not None and table.add(self._mark(text)):
            return
        if self._heading is not None:
            self.done.append(Heading(text, self._heading))
        elif self._lists:
            self.done.append(Paragraph(self._mark(text), listed=True))
        else:
            parts = [text] if self._preserved else _BLANK_LINES.split(text)
            self.done.extend(Paragraph(part) for part in parts)

    @property
    def _table(self) -> OpenTable | None:
        return self._tables[-1] if self._tables else None

    def _mark(self, text: str) -> str:
        if not self._lists:
            return text
        indent = "  " * (min(len(self._lists), _MAX_LIST_DEPTH) - 1)
        marker, self._marker = self._marker or "  ", ""
        return indent + marker + text.replace("\n", "\n" + indent + "  ")

    def _start_block(self, name: str, element: etree._Element) -> None:
        if name in _PRESERVED:
            self._preserved += 1
        elif name in _LISTS:
            self._lists.append(number_of(element.get("start"), 1) - 1 if name == "ol" else None)
        elif name == "li":
            self._begin_item()
        elif name == "table":
            self._tables.append(OpenTable() if holds_data(element) else None)
        elif name in _HEADINGS:
            self._heading = _HEADINGS[name]
        elif name in ("tr", "td", "th") and (table := self._table) is not None:
            if name != "tr":
                table.begin_cell(element, header=name == "th")
            elif (full := table.begin_row()) is not None:
                self.done.append(full)

    def _begin_item(self) -> None:
        counter = self._lists[-1] if self._lists else None
        if counter is None:
            self._marker = "• "
        else:
            self._lists[-1] = counter + 1
            self._marker = f"{counter + 1}. "


def _shown_value(name: str, element: etree._Element) -> str:
    if name == "img":
        return element.get("alt") or ""
    if name == "textarea":
        return "".join(element.itertext())
    if name == "select":
        options = list(element.iter("{*}option"))
        chosen = [option for option in options if option.get("selected") is not None] or options[:1]
        return " ".join("".join(option.itertext()).strip() for option in chosen)
    kind = (element.get("type") or "text").lower()
    if kind in ("checkbox", "radio"):
        return "[x] " if element.get("checked") is not None else "[ ] "
    return "" if kind in _SILENT_INPUTS else element.get("value") or ""
