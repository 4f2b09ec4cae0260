"""Lines with a name and an amount that add up to the total below them: a list that needs no headings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docsieve.engines.local.fields.candidates import Scene
from docsieve.engines.local.fields.spans import Span
from docsieve.engines.local.lists.groups import Cell, Group, Listing
from docsieve.engines.local.page.view import PageView, Row, Token, said, spot
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.values.amounts import parse_amount

PROVEN = 0.5
NAMED = 0.3
NAMED_WITHIN = 0.15
_TOTALS = frozenset(("total", "subtotal", "sum", "balance"))
_MAX_COLUMNS = 3
_MAX_LINES = 200
_MAX_AMOUNT_COLUMNS = 20
_MAX_GAP = 4.0


@dataclass(slots=True, eq=False)
class Line:
    name: list[Token]
    amount: Span
    value: Decimal
    row: Row
    at: int

    def aside(self, other: "Line") -> float:
        """Distance between the columns of two amounts, left-aligned or right-aligned."""
        mine, its = self.amount.tokens, other.amount.tokens
        return min(abs(mine[0].box[0] - its[0].box[0]), abs(mine[-1].box[2] - its[-1].box[2]))


def summed_listings(group: Group, scene: Scene, sums: Sequence[list[Line]]) -> list[Listing]:
    columns = {column.target.type: at for at, column in reversed(list(enumerate(group.columns)))}
    name = columns.get("text", columns.get("name"))
    amount = columns.get("amount", columns.get("number"))
    if group.scalars or name is None or amount is None or len(group.columns) > _MAX_COLUMNS:
        return []
    words = set(group.words)
    found = []
    for lines in sums:
        rows = [
            {
                name: Cell(said(line.name), [spot(line.name, line.amount.piece)]),
                amount: Cell(line.amount.text, [spot(line.amount.tokens, line.amount.piece)]),
            }
            for line in lines[:-1]
        ]
        above = _title(scene, lines[0])
        title = words & {*canonical(above), *canonical(said(lines[-1].name))}
        within = any(words & set(canonical(said(line.name))) for line in lines[:-1])
        score = PROVEN + (NAMED if title else NAMED_WITHIN if within else 0.0)
        found.append(
            Listing(rows, score, f"in a plain list on page {lines[0].amount.piece.page}, with its sum", id(lines))
        )
    return found


def sums_of(scene: Scene) -> list[list[Line]]:
    """Runs of lines in one column of amounts, each ending with its total."""
    found: list[list[Line]] = []
    for page in scene.view.pages:
        columns: list[list[Line]] = []
        for line in _lines(page, scene):
            nearest = min(columns, key=lambda each: each[-1].aside(line), default=None)
            if nearest is not None and nearest[-1].aside(line) < page.height:
                nearest.append(line)
            elif len(columns) < _MAX_AMOUNT_COLUMNS:
                columns.append([line])
        for column in columns:
            found += _proven(column, page)
    return found


def _proven(column: Sequence[Line], page: PageView) -> Iterator[list[Line]]:
    run: list[Line] = []
    for line in column:
        if run and line.row.box[1] - run[-1].row.box[3] > _MAX_GAP * page.height:
            run = []
        if _is_total(line):
            if len(run) > 1 and line.value and sum(each.value for each in run) == line.value:
                yield [*run, line]
            run = []
        elif len(run) < _MAX_LINES:
            run.append(line)


def _is_total(line: Line) -> bool:
    return not _TOTALS.isdisjoint(canonical(said(line.name[:4])))


def _lines(page: PageView, scene: Scene) -> Iterator[Line]:
    for at, row in enumerate(page.rows):
        name: list[Token] = []
        closed = False
        for piece in row.pieces:
            spans = [span for span in scene.spans.within("amount", piece) if span.last == len(piece.tokens) - 1]
            value = parse_amount(spans[-1].text, decimal=scene.spans.decimal) if spans else None
            alone = value is not None and spans[-1].first == 0
            if closed and not alone:
                name = []  # another column of names starts
            if value is not None:
                mine = [*name, *piece.tokens[: spans[-1].first]]
                if sum(map(str.isalpha, said(mine[:20]))) > 1:
                    yield Line(mine, spans[-1], value.value, row, at)
            closed = value is not None
            if not alone:
                name = [*name, *piece.tokens]


def _title(scene: Scene, line: Line) -> str:
    return scene.page(line.amount).rows[line.at - 1].text if line.at else ""
