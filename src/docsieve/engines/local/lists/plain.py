"""Lists of plain text: the text after their label or the lines under it, separated by lines or commas."""

import re
from collections.abc import Iterator, Sequence

from docsieve.engines.local.lists.groups import Cell, Group, Listing
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Token, said, spot
from docsieve.engines.local.vocabulary.canon import canonical

MIN_LABEL_SCORE = 0.75
_WORTH = 0.8
_MAX_LABEL_WORDS = 4
_MAX_LINE_WORDS = 8
_MAX_LINES = 40
_MAX_GAP = 1.6
_BULLET = re.compile(r"[•●▪◦‣·*–—-]|\(?\d{1,2}[.)]|\(?[a-z]\)")
_BETWEEN = frozenset("•●▪◦‣·|/")
_PLAIN = frozenset(("text", "name", "person", "country", "currency", "id"))

Item = tuple[list[Token], Piece]


def plain_listings(group: Group, view: DocumentView) -> list[Listing]:
    if not group.scalars or len(group.columns) != 1 or group.columns[0].target.type not in _PLAIN:
        return []
    found = []
    for page in view.pages:
        for piece in page.pieces:
            label, rest = _label(piece)
            score = group.columns[0].matcher.score(label) if label else 0.0
            if score < MIN_LABEL_SCORE:
                continue
            items = list(_parted(rest, piece)) if rest else _right_of(piece, page) or _below(piece, page)
            if items:
                rows = [{0: Cell(said(tokens).strip(" ,;."), [spot(tokens, owner)])} for tokens, owner in items]
                why = f"list at '{piece.text[:40]}' on page {page.number}"
                found.append(Listing(rows, score * _WORTH, why, id(piece)))
    return found


def _label(piece: Piece) -> tuple[tuple[str, ...], list[Token]]:
    """The words of a label and the text after it in the same piece; a short piece without a colon is a label too."""
    for at, token in enumerate(piece.tokens[: _MAX_LABEL_WORDS + 1]):
        if token.text.endswith(":"):
            return canonical(said(piece.tokens[: at + 1])), piece.tokens[at + 1 :]
    return (canonical(piece.text), []) if len(piece.tokens) <= _MAX_LABEL_WORDS else ((), [])


def _right_of(piece: Piece, page: PageView) -> list[Item]:
    """The rest of the row, if it is separated by commas or the label ends with a colon."""
    others = page.rows[piece.row].pieces[piece.place + 1 :]
    items = [item for other in others for item in _parted(other.tokens, other)]
    return items if piece.text.endswith(":") or len(items) > len(others) else []


def _below(piece: Piece, page: PageView) -> list[Item]:
    if len(page.rows[piece.row].pieces) > 1:
        return []
    lines = list(_lines(piece, page))
    bulleted = [_BULLET.fullmatch(line.tokens[0].text) is not None for line in lines]
    found: list[Item] = []
    if lines and bulleted[0]:
        for line, starts in zip(lines, bulleted, strict=True):
            if starts and len(line.tokens) > 1:
                found.append((line.tokens[1:], line))
            elif not starts:
                found[-1:] = [([*found[-1][0], *line.tokens], found[-1][1])] if found else []
        return found
    if any(len(line.tokens) > _MAX_LINE_WORDS and "," not in line.text for line in lines):
        return []  # sentences
    return [item for line in lines for item in _parted(line.tokens, line)]


def _lines(piece: Piece, page: PageView) -> Iterator[Piece]:
    """The lines under a heading, up to a wider gap or the next heading."""
    last = piece
    for row in page.rows[piece.row + 1 : piece.row + 1 + _MAX_LINES]:
        line = row.pieces[0]
        gap = line.box[1] - last.box[3]
        if len(row.pieces) > 1 or line.heading or gap > _MAX_GAP * page.height or _is_like(line, piece):
            return
        yield line
        last = line


def _is_like(line: Piece, heading: Piece) -> bool:
    """Whether the piece looks like the heading: in capitals, or clearly larger than text."""
    capitals = heading.text.isupper() and line.text.isupper()
    return capitals or line.text.endswith(":")


def _parted(tokens: Sequence[Token], piece: Piece) -> Iterator[Item]:
    part: list[Token] = []
    depth = 0
    for token in tokens:
        if token.text in _BETWEEN:
            if part:
                yield part, piece
            part = []
            continue
        part.append(token)
        depth = max(0, depth + token.text.count("(") - token.text.count(")"))
        if token.text[-1] in ",;" and not depth:
            yield part, piece
            part = []
    if part:
        yield part, piece
