"""Labels of a value: words in the same piece, to its left, or above it, in canonical form."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docsieve.engines.local.fields.spans import Span
from docsieve.engines.local.page.columns import caption_of, may_hold
from docsieve.engines.local.page.view import PageView, Piece, Token, shared
from docsieve.engines.local.vocabulary.canon import joined
from docsieve.engines.local.vocabulary.labels import caption_words, listed
from docsieve.engines.local.vocabulary.targets import Words
from docsieve.values.numbers import parse_number

# The weight of a label by its position relative to the value.
COLON = 1.0
SAME_PIECE = 0.96
LEFT = 0.96
SKIPPED = 0.22
ABOVE = 0.84
BOXED = 0.95
SUM_BELOW = 0.93
ROW_ABOVE = 0.6
FAR = 0.12

IN_ROW = 0.85
BEFORE = 0.75

_MAX_WORDS = 6
_MAX_ADDENDS = 12
_MAX_FOLLOWERS = 3
# Text in parentheses within a label: `Invoice (380) No.`
_REMARK = re.compile(r"\(\d{1,4}\)")
_SEPARATORS = frozenset("●•·|∙")
_SECTION = frozenset(("§", "§§", "Art.", "No.", "#"))
_LINKS = frozenset(("from", "to", "date", "number"))
_NO_LABEL = frozenset(("rm", "usd", "eur", "myr", "currency", "percent", "number"))


@dataclass(frozen=True, slots=True)
class Clue:
    words: Words
    strength: float
    where: str
    """right of, below, after, before"""
    text: str


def clues(span: Span, page: PageView) -> list[Clue]:
    """All possible labels of a value, nearest first."""
    piece = span.piece
    found = list(_before(piece.tokens[: span.first]))
    if piece.boxed:
        return found + list(_in_cell(piece, page))
    inner = bool(found)
    if not found or not found[0].words:
        found += _left(piece, page)
    if set(found[0].words if found else ()) <= _LINKS:
        found += _whole_row(piece, span, page)
    if span.first == 0 or not inner:
        found += _above(piece, span, page)
        found += _over_addends(piece, span, page)
    return found


def followers(span: Span) -> Iterable[Clue]:
    """The words after a number, which say what it counts: `14 Claims`."""
    tokens = span.piece.tokens
    if tokens[span.last].text.endswith((".", ")")) or (span.first and tokens[span.first - 1].text in _SECTION):
        return
    run: list[Token] = []
    for token in tokens[span.last + 1 :][:_MAX_FOLLOWERS]:
        if not token.names or _is_value(token) or token.text.endswith((":", "=")):
            break
        run.append(token)
        yield Clue(_names(run), BEFORE, "before", _said(run))
        if token.text.endswith((",", ".", ";", ")")):
            break


def _in_cell(piece: Piece, page: PageView) -> Iterable[Clue]:
    """The label over a value in its cell of a form, and all that this label asks for."""
    tokens = [token for label in caption_of(piece, page) for token in label.tokens]
    words = caption_words([token.text for token in tokens])
    if words:
        yield Clue(words, BOXED, "below", _said(tokens))
        yield from (Clue(each, BOXED, "below", _said(tokens)) for each in listed(words))


def _before(tokens: Sequence[Token]) -> Iterable[Clue]:
    run = _label_run(tokens)
    words = _names(run)
    if words and not set(words) <= _NO_LABEL - {"number"}:
        colon = run[-1].text.endswith((":", "#", "="))
        yield Clue(words, COLON if colon else SAME_PIECE, "after", _said(run))


def _label_run(tokens: Sequence[Token]) -> list[Token]:
    """The words before a value, back to the previous value."""
    run: list[Token] = []
    for token in reversed(tokens):
        if _is_value(token) or (run and (token.text.endswith(";") or token.text in _SEPARATORS)):
            break
        run.insert(0, token)
        if len(run) >= _MAX_WORDS:
            break
    for at, token in enumerate(run[:-1]):
        if token.text.endswith(":") and any(_names((each,)) for each in run[at + 1 :]):
            return run[at + 1 :]
    return run


def _is_value(token: Token) -> bool:
    if _REMARK.fullmatch(token.text):
        return False
    digits = sum(character.isdigit() for character in token.text)
    return digits >= 2 and digits * 2 >= len(token.text.strip("():,;%@"))


def _is_code(token: Token) -> bool:
    return _is_value(token) and any(map(str.isalpha, token.text))


def _left(piece: Piece, page: PageView) -> Iterable[Clue]:
    row = page.rows[piece.row].pieces
    skipped = 0.0
    for at in range(piece.place - 1, -1, -1):
        other = row[at]
        if not may_hold(other, piece):
            return
        run = _label_run(other.tokens)
        words = _names(run)
        if words and not set(words) <= _NO_LABEL:
            gap = abs(piece.box[0] - other.box[2]) / max(page.page.width, 1.0)
            yield Clue(words, LEFT - SKIPPED * skipped - FAR * min(gap, 1.0), "right of", _said(run))
            if skipped or len(words) > 1 or at == 0:
                return
            skipped += 1
        elif not set(words) or any(_is_value(token) for token in other.tokens):
            skipped += 0.5 if other.text.isdigit() else any(character.isalnum() for character in other.text)
        if skipped > 2:
            return


def _whole_row(piece: Piece, span: Span, page: PageView) -> Iterable[Clue]:
    """All words of the row before the value, across other values: `Invoice 4711 of` before a date."""
    pieces = [other for other in page.rows[piece.row].pieces[: piece.place] if may_hold(other, piece)]
    before = [token for other in pieces for token in other.tokens]
    before += piece.tokens[: span.first]
    label = [token for token in before if not _is_code(token)]
    words = _names(label)
    if (1 if len(label) < len(before) else 2) <= len(words) <= 5:
        yield Clue(words, IN_ROW, "after", _said(before))


def _above(piece: Piece, span: Span, page: PageView) -> Iterable[Clue]:
    x0, x1 = span.tokens[0].box[0], span.tokens[-1].box[2]
    top = piece.box[1]
    for at in range(piece.row - 1, max(-1, piece.row - 5), -1):
        row = page.rows[at]
        distance = top - row.box[3]
        if distance > 3.0 * page.height:
            return
        over = [other for other in row.pieces if _is_above(other, x0, x1, page.height) and may_hold(other, piece)]
        if not over:
            if len(row.pieces) == 1 and at == piece.row - 1 and piece.place == 0 and distance < page.height:
                words = _names(_label_run(row.pieces[0].tokens))
                yield Clue(words, ROW_ABOVE, "below", row.pieces[0].text)
            continue
        nearest = max(over, key=lambda other: shared((other.box[0], other.box[2]), (x0, x1)))
        if not any(_is_value(token) for token in nearest.tokens):
            worth = ABOVE - 0.06 * max(0.0, distance / max(page.height, 1.0) - 0.6)
            words = _names(nearest.tokens[:_MAX_WORDS])
            yield Clue(words, worth * (0.85 if len(nearest.tokens) > _MAX_WORDS else 1.0), "below", nearest.text)
        return


def _over_addends(piece: Piece, span: Span, page: PageView) -> Iterable[Clue]:
    """The heading of a column whose values add up to this one, such as net amounts by tax rate and their sum."""
    if not isinstance(span.value, Decimal):
        return
    x0, x1 = span.tokens[0].box[0], span.tokens[-1].box[2]
    rest, addends, below = span.value, 0, piece.box[1]
    for at in range(piece.row - 1, max(-1, piece.row - _MAX_ADDENDS), -1):
        row = page.rows[at]
        if below - row.box[3] > 3.0 * page.height:
            return
        over = [(other, token) for other in row.pieces for token in other.tokens if _over(token, x0, x1, page.height)]
        if not over:
            continue
        below = row.box[1]
        other, token = over[-1]
        value = parse_number(token.text)
        if value is not None:
            rest, addends = rest - value, addends + 1
        elif addends < 2 or rest or not (words := _names(other.tokens[:_MAX_WORDS])):
            return
        else:
            yield Clue(words, SUM_BELOW, "sum below", other.head)
            return


def _over(token: Token, x0: float, x1: float, height: float) -> bool:
    aligned = abs(token.box[2] - x1) < height / 2
    return aligned or shared((token.box[0], token.box[2]), (x0, x1)) > 0.4


def _is_above(other: Piece, x0: float, x1: float, height: float) -> bool:
    aligned = abs(other.box[0] - x0) < height or abs(other.box[2] - x1) < height
    return aligned or shared((other.box[0], other.box[2]), (x0, x1)) > 0.4


def _names(tokens: Iterable[Token]) -> Words:
    return joined(dict.fromkeys(name for token in tokens for name in token.names))


def _said(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens).strip(" :")
