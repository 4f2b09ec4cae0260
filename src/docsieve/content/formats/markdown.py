"""Content as Markdown (CommonMark with tables), with a comment at the beginning of each page."""

import html
import re

from docsieve.content.blocks import Block, list_items
from docsieve.content.formats.port import About
from docsieve.content.grids import is_layout, text_rows
from docsieve.content.outline import PageContent
from docsieve.domain.pages.page import Table

# Escaped only where Markdown would take it for markup, so that plain text stays readable.
_MARKUP = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|`|(?<!\s)\*|\*(?!\s)|(?<!\w)_|_(?!\w)|~(?=~)|<(?=[A-Za-z/!?])|\[(?=[^\[\]]*\][(\[:])|!(?=\[)"
    r"|&(?=#?\w+;)"
)
_AT_START = re.compile(r"(?:#{1,6}(?=\s|$)|[>=]|[-+](?=[-\s]|$)|~~~)|(?P<number>\d{1,9})(?=[.)](?:\s|$))")
_DECIMAL = re.compile(r"\(?(\d{1,9})[.)]\Z")


class MarkdownWriter:
    def __init__(self) -> None:
        self._pages = 1

    def begin(self, about: About) -> str:
        self._pages = about.page_count
        return ""

    def page(self, content: PageContent) -> str:
        parts = [f"<!-- page {content.number} -->"] if self._pages > 1 else []
        if content.error is not None:
            parts.append(f"<!-- page {content.number} could not be read: {_comment(content.error)} -->")
        parts += [written for block in content.blocks if (written := _block(block, content))]
        return "\n\n".join(parts) + "\n\n" if parts else ""

    def end(self) -> str:
        return ""


def _block(block: Block, content: PageContent) -> str:
    if block.table is not None:
        return _table(block.table, "<br>" if content.flowing else " ")
    if block.part in ("header", "footer"):
        return f"<{block.part}>{html.escape(block.text, quote=False)}</{block.part}>"
    if block.kind == "heading":
        return f"{'#' * (block.level or 1)} {_inline(' '.join(block.text.split()))}"
    if block.kind == "list":
        return _list(block)
    return paragraph(block.text)


def paragraph(text: str) -> str:
    return "  \n".join(_at_start(_inline(line)) for line in text.splitlines())


def _list(block: Block) -> str:
    lines = []
    widths: list[int] = []
    for item in list_items(block):
        decimal = _DECIMAL.match(item.number) if item.number is not None else None
        marker = f"{int(decimal[1])}." if decimal else "-"
        del widths[item.depth :]
        widths += [2] * (item.depth - len(widths))
        indent = " " * sum(widths)
        widths.append(len(marker) + 1)
        named = f"{item.number} " if item.number is not None and decimal is None else ""
        lines.append(f"{indent}{marker} {_at_start(_inline(' '.join((named + item.text).split())))}")
    return "\n".join(lines)


def _table(table: Table, line_break: str) -> str:
    if is_layout(table):
        return "\n\n".join(paragraph(" ".join(cell.text.split())) for cell in table.cells if cell.text.strip())
    rows = [[_cell(text, line_break) for text in row] for row in text_rows(table)]
    width = max(len(row) for row in rows)
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _cell(text: str, line_break: str) -> str:
    lines = (_inline(_on_one_line(line)).replace("|", "\\|") for line in text.splitlines() if line.strip())
    return line_break.join(lines)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _inline(text: str) -> str:
    return _MARKUP.sub(lambda found: "\\" + found[0], text)


def _at_start(text: str) -> str:
    """Keep a paragraph from being taken for a heading, list, quote or rule."""
    found = _AT_START.match(text)
    if found is None:
        return text
    end = found.end() if found["number"] is not None else found.start()
    return f"{text[:end]}\\{text[end:]}"


def _comment(text: str) -> str:
    return re.sub(r"-{2,}|>", " ", text)
