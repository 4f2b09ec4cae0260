"""Content as HTML: a section per page, and tables with their spans."""

from html import escape

from docsieve.content.blocks import Block, Item, list_items
from docsieve.content.formats.port import About
from docsieve.content.grids import cell_rows
from docsieve.content.outline import PageContent
from docsieve.domain.pages.page import Cell, Table

_MAX_SPAN = 1000  # browsers read no more


class HtmlWriter:
    def begin(self, about: About) -> str:
        language = f' lang="{escape(about.language)}"' if about.language else ""
        head = f'<meta charset="utf-8">\n<title>{escape(about.title)}</title>'
        return f"<!DOCTYPE html>\n<html{language}>\n<head>\n{head}\n</head>\n<body>\n"

    def page(self, content: PageContent) -> str:
        written = [_block(block) for block in content.blocks]
        if content.error is not None:
            written.insert(0, f"<p>{_text(f'Page {content.number} could not be read: {content.error}')}</p>")
        return f'<section data-page="{content.number}">\n' + "".join(f"{each}\n" for each in written) + "</section>\n"

    def end(self) -> str:
        return "</body>\n</html>\n"


def _block(block: Block) -> str:
    if block.table is not None:
        return _table(block.table)
    if block.part in ("header", "footer"):
        return f"<{block.part}>{_text(block.text)}</{block.part}>"
    if block.kind == "heading":
        return f"<h{block.level or 1}>{_text(block.text)}</h{block.level or 1}>"
    if block.kind == "list":
        return _list(list_items(block))
    kind = ' class="footnote"' if block.part == "footnote" else ""
    return f"<p{kind}>{_text(block.text)}</p>"


def _list(items: list[Item]) -> str:
    written: list[str] = []
    opened: list[str] = []
    for item in items:
        depth = min(item.depth, len(opened)) if opened else 0
        while len(opened) > depth + 1:
            written.append(f"</li></{opened.pop()}>")
        if len(opened) == depth + 1:
            written.append("</li>")
        else:
            opened.append("ul" if item.number is None else "ol")
            written.append("<ul>" if item.number is None else '<ol style="list-style: none">')
        number = f"{item.number} " if item.number is not None else ""
        written.append(f"<li>{_text(number + item.text)}")
    while opened:
        written.append(f"</li></{opened.pop()}>")
    return "".join(written)


def _table(table: Table) -> str:
    rows = ("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>" for row in cell_rows(table))
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def _cell(cell: Cell) -> str:
    name = "th" if cell.header else "td"
    spans = "".join(
        f' {which}="{min(span, _MAX_SPAN)}"'
        for which, span in (("rowspan", cell.row_span), ("colspan", cell.column_span))
        if span > 1
    )
    return f"<{name}{spans}>{_text(cell.text.strip())}</{name}>"


def _text(text: str) -> str:
    return escape(text, quote=False).replace("\n", "<br>")
