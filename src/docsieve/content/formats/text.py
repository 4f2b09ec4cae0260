"""Content as plain text: a blank line between blocks, tabs between cells, a form feed between pages."""

from docsieve.content.blocks import Block, list_items
from docsieve.content.formats.port import About
from docsieve.content.grids import text_rows
from docsieve.content.outline import PageContent


class TextWriter:
    def __init__(self) -> None:
        self._begun = False

    def begin(self, about: About) -> str:
        return ""

    def page(self, content: PageContent) -> str:
        before, self._begun = "\f" if self._begun else "", True
        return before + "\n\n".join(_block(block) for block in content.blocks) + "\n"

    def end(self) -> str:
        return ""


def _block(block: Block) -> str:
    if block.table is not None:
        return "\n".join("\t".join(" ".join(text.split()) for text in row) for row in text_rows(block.table))
    if block.kind == "list":
        return "\n".join(f"{'  ' * item.depth}{item.number or '-'} {item.text}" for item in list_items(block))
    return block.text
