"""Blocks of labels and values that repeat: each block is an entry."""

from collections import Counter
from collections.abc import Iterator, Sequence

from docsieve.engines.local.lists.groups import Cell, Column, Group, Listing
from docsieve.engines.local.page.view import DocumentView, Piece, Token, said, spot
from docsieve.engines.local.vocabulary.canon import canonical

MIN_LABEL_SCORE = 0.6
_MIN_ENTRIES = 2
_WORTH = 0.9

Labeled = tuple[int, float, list[Token], Piece]
"""A column, how well the label fits it, and the value after the label."""


def repeated_listings(group: Group, view: DocumentView) -> list[Listing]:
    if group.scalars or len(group.columns) < _MIN_ENTRIES:
        return []
    rows = (row for page in view.pages for row in page.rows)
    every = [each for row in rows for each in labeled_values(group.columns, row.pieces)]
    times = Counter((at, score) for at, score, _, _ in every)
    usual = {at: max((n, score) for (other, score), n in times.items() if other == at)[1] for at, _ in times}
    entries: list[dict[int, Cell]] = []
    scores: list[float] = []
    for at, score, tokens, piece in every:
        if score != usual[at]:
            continue  # another label, which occurs less often
        if not entries or at in entries[-1]:
            entries.append({})
        entries[-1][at] = Cell(said(tokens), [spot(tokens, piece)])
        scores.append(score)
    most = max(map(len, entries), default=0)
    full = [entry for entry in entries if len(entry) * 2 > most and len(entry) >= _MIN_ENTRIES]
    if len(full) < _MIN_ENTRIES:
        return []
    filled = sum(map(len, full)) / (len(full) * len(group.columns))
    score = filled * sum(scores) / len(scores) * _WORTH
    return [Listing(full, score, f"labels that repeat, first on page {view.pages[0].number}", "repeated")]


def labeled_values(columns: Sequence[Column], pieces: Sequence[Piece]) -> Iterator[Labeled]:
    """Values after a label with a colon, with or without a space."""
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        cut = next((at for at, token in enumerate(piece.tokens) if ":" in (token.text[0], token.text[-1])), None)
        if cut is None:
            continue
        glued = piece.tokens[cut].text[0] == ":" and len(piece.tokens[cut].text) > 1
        label = canonical(said(piece.tokens[: cut if glued else cut + 1]))
        value = piece.tokens[cut if glued else cut + 1 :]
        owner = piece if value or following is None else following
        value = value or (following.tokens if following is not None else [])
        score, at = max(((column.matcher.score(label), -at) for at, column in enumerate(columns)), default=(0.0, 0))
        if value and score >= MIN_LABEL_SCORE:
            yield -at, score, _without_colon(value), owner


def _without_colon(tokens: Sequence[Token]) -> list[Token]:
    first = tokens[0]
    return [Token(first.text.lstrip(":"), first.box, first.names), *tokens[1:]]
