"""Lists of plain text: the text after their label or the lines under it, separated by lines or commas."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from docsieve.engines.local.lists.groups import Cell, Group, Listing
from docsieve.engines.local.page.view import Piece, Token, said, spot
from docsieve.engines.local.sections.entries import is_bullet, plain_entries
from docsieve.engines.local.sections.headings import Line, Sections
from docsieve.engines.local.sections.kinds import section_kind
from docsieve.engines.local.sections.names import section_kinds
from docsieve.engines.local.vocabulary.canon import canonical

MIN_LABEL_SCORE = 0.75
_USUAL = 0.95
_WORTH = 0.8
_MAX_LABEL_WORDS = 4
_MAX_LABELS = 40
"""On a page: no list has so many headings."""

_MAX_LINE_WORDS = 8
_MAX_GAP = 1.6
_MORE_THAN_FIRST = 1.4
_BETWEEN = frozenset("•●▪◦‣·|/")
_PLAIN = frozenset(("text", "name", "person", "country", "currency", "id"))

Item = tuple[list[Token], Piece]


def plain_listings(group: Group, sections: Sections) -> list[Listing]:
    if not group.scalars or len(group.columns) != 1 or group.columns[0].target.type not in _PLAIN:
        return []
    kinds = section_kinds(group)
    found = []
    for number, page in enumerate(sections.pages):
        labels = 0
        for piece in page.pieces:
            label, rest = _label(piece)
            kind, sure = section_kind(said(label)) if label and kinds else ("", 0.0)
            score = max(group.columns[0].matcher.score(canonical(said(label))), sure * _USUAL if kind in kinds else 0.0)
            if not label or score < MIN_LABEL_SCORE or labels == _MAX_LABELS:
                continue
            labels += 1
            items = list(_parted(rest, piece)) if rest else _listed(piece, number, sections)
            if items:
                rows = [{0: Cell(said(tokens).strip(" ,;."), [spot(tokens, owner)])} for tokens, owner in items]
                why = f"in a plain list at '{piece.text[:40]}' on page {page.number}"
                found.append(Listing(rows, score * _WORTH, why, id(piece)))
    return found


def _label(piece: Piece) -> tuple[list[Token], list[Token]]:
    """The words of a label and the text after it in the same piece; a short piece without a colon is a label too."""
    for at, token in enumerate(piece.tokens[: _MAX_LABEL_WORDS + 1]):
        if token.text.endswith(":"):
            return piece.tokens[: at + 1], piece.tokens[at + 1 :]
    return (piece.tokens, []) if len(piece.tokens) <= _MAX_LABEL_WORDS else ([], [])


def _listed(piece: Piece, number: int, sections: Sections) -> list[Item]:
    """The text next to the label, or else under it."""
    lines = sections.lines_under(number, piece)
    if lines and lines[0].top < piece.middle:
        return _next_to(piece, list(takewhile(lambda each: each.left > piece.box[2], lines)))
    return _below(list(_near(lines)))


def _next_to(piece: Piece, lines: Sequence[Line]) -> list[Item]:
    """A single text is a list only if the label says so by a colon."""
    items = [item for line in _near(lines) for each in line.pieces for item in _parted(each.tokens, each)]
    return items if piece.text.endswith(":") or len(items) > 1 else []


def _below(lines: Sequence[Line]) -> list[Item]:
    if lines and is_bullet(lines[0]):
        bulleted = [[pair for line in item for pair in line.tokens] for item in plain_entries(lines)]
        return [([token for token, _ in pairs[1:]], pairs[0][1]) for pairs in bulleted if len(pairs) > 1]
    if any(len(line.tokens) > _MAX_LINE_WORDS and "," not in line.text for line in lines):
        return []  # sentences
    return [item for line in lines for each in line.pieces for item in _parted(each.tokens, each)]


def _near(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines up to a wider gap or a line that looks like a label."""
    for line in lines:
        height = line.page.height
        if line.gap > max(_MAX_GAP * height, _MORE_THAN_FIRST * lines[0].gap) or line.text.endswith(":"):
            return
        yield line


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
