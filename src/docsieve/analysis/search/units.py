"""The blocks of a page as texts with their positions, which chunks are made of."""

from dataclasses import dataclass, field

from docsieve.content.blocks import Block, BlockKind, around, joined
from docsieve.content.grids import cell_rows, header_rows
from docsieve.domain.pages.chunks import Place
from docsieve.domain.pages.page import Table


@dataclass(slots=True)
class Unit:
    """A text with the positions of its lines, or of the rows of a table. `header_end` is where its header rows end."""

    kind: BlockKind
    text: str = ""
    places: list[Place] = field(default_factory=list)
    header_end: int = 0
    level: int = 1


def unit_of(block: Block) -> Unit:
    if block.table is not None:
        return _table_unit(block.page, block.table)
    if block.kind == "list":
        text, places, at = "\n".join(line.text.strip() for line in block.lines), [], 0
        for line in block.lines:
            end = at + len(line.text.strip())
            places.append(Place(block.page, at, end, line.box))
            at = end + 1
    else:
        text, spans = joined(block.lines, block.edge)
        places = [Place(block.page, *span, line.box) for span, line in zip(spans, block.lines, strict=True)]
    return Unit(block.kind, text, places, level=block.level or 1)


def _table_unit(page: int, table: Table) -> Unit:
    unit, parts, at, headers = Unit("table"), [], 0, header_rows(table)
    for number, row in enumerate(cell_rows(table), start=1):
        cells = [cell for cell in row if cell.text.strip()]
        if cells:
            text = " | ".join([" ".join(cell.text.split()) for cell in cells])
            unit.places.append(Place(page, at, at + len(text), around([cell.box for cell in cells])))
            parts.append(text)
            at += len(text)
        if number <= headers:
            unit.header_end = at
        at += 1 if cells else 0
    unit.text = "\n".join(parts)
    return unit
