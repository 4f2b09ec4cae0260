"""Lists in the boxes of a form: each box has its label, and one line for each entry."""

from collections.abc import Sequence

from docsieve.engines.local.lists.groups import Cell, Group, Listing
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, spot
from docsieve.engines.local.vocabulary.canon import canonical

_MIN_SCORE = 0.6
_MIN_COLUMNS = 2
_MAX_LABELS = 400
_WORTH = 0.95


def boxed_listings(group: Group, view: DocumentView) -> list[Listing]:
    if group.scalars or len(group.columns) < _MIN_COLUMNS:
        return []
    found = []
    for page in view.pages:
        labels = [piece for piece in page.pieces if piece.is_label and piece.cell is not None][:_MAX_LABELS]
        for table in {piece.cell[0] for piece in labels if piece.cell is not None}:
            inside = [piece for piece in labels if piece.cell is not None and piece.cell[0] == table]
            chosen, score = _columns(group, inside)
            rows = _rows(chosen, page)
            if len(chosen) >= _MIN_COLUMNS and rows:
                share = score / len(group.columns) * _WORTH
                found.append(Listing(rows, share, f"boxes of a form on page {page.number}", (page.number, table)))
    return found


def _columns(group: Group, labels: Sequence[Piece]) -> tuple[dict[int, Piece], float]:
    """The label of each column, the best first; no label is used twice."""
    scored = sorted(
        (
            (score, at, number)
            for number, label in enumerate(labels)
            for at, column in enumerate(group.columns)
            if (score := column.matcher.score(canonical(label.text))) >= _MIN_SCORE
        ),
        key=lambda each: (-each[0], each[1], each[2]),
    )
    chosen: dict[int, Piece] = {}
    total = 0.0
    for score, at, number in scored:
        if at not in chosen and not any(labels[number] is each for each in chosen.values()):
            chosen[at] = labels[number]
            total += score
    return chosen, total


def _rows(chosen: dict[int, Piece], page: PageView) -> list[dict[int, Cell]]:
    """The first lines of all boxes are one entry, the second ones another."""
    rows: dict[int, dict[int, Cell]] = {}
    for at, label in chosen.items():
        lines = [piece for piece in page.pieces if piece.boxed and piece.cell == label.cell and not piece.is_label]
        for number, piece in enumerate(sorted(lines, key=lambda each: each.box[1])):
            rows.setdefault(number, {})[at] = Cell(piece.text, [spot(piece.tokens, piece)])
    return [rows[number] for number in sorted(rows)]
