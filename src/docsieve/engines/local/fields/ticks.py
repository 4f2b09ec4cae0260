"""Check marks: `[x] Married`, `☐ Single`, and a cross in the cell of a form under its label."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from docsieve.engines.local.fields.candidates import Candidate, identities
from docsieve.engines.local.fields.phrases import Label, Phrases
from docsieve.engines.local.page.columns import below
from docsieve.engines.local.page.view import PageView, Piece, Token, said, spot
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target

BEFORE = 0.9
IN_CELL = 0.85
EMPTY = 0.5
"""A form that draws its crosses as pictures looks empty, too."""

_MIN_SCORE = 0.55
_MAX_WORDS = 8
_NEAR = 2.0
_ON = re.compile(r"[\[(]\s*[xX✓✔]\s*[\])]|[☒☑✓✔✗✘⊠■]|[xX]")
_OF_A_BOX = re.compile(r"[\[(☒☑✓✔✗✘⊠■☐□◻❏]")
_OFF = re.compile(r"[\[(]\s*_?\s*[\])]|[☐□◻❏]")


def tick_candidates(target: Target, matcher: Matcher, phrases: Phrases) -> list[Candidate]:
    """Whether the box next to the field's label is ticked."""
    found: list[Candidate] = []
    for label, score in phrases.labels(matcher):
        if score < _MIN_SCORE:
            continue
        tick = _tick_before(label.piece, label.page)
        if tick is not None:
            found.append(_made(target, label, tick, score * BEFORE, "at"))
        elif label.piece.is_label:
            under = [piece for piece in below(label.piece, label.page, limit=2) if piece.cell == label.piece.cell]
            marks = [piece for piece in under if _ON.fullmatch(piece.head)]
            if marks or not under:
                score *= IN_CELL if marks else EMPTY
                found.append(
                    _made(target, label, bool(marks), score, "in the cell of" if marks else "nothing ticked at")
                )
    return found


def ticked(pieces: Iterable[Piece]) -> Iterator[tuple[list[Token], Piece]]:
    """The words after each ticked box of a piece, up to the next box."""
    for piece in pieces:
        boxes = [at for at, token in enumerate(piece.tokens) if _OF_A_BOX.match(token.text)]
        for at, end in pairwise([*boxes, len(piece.tokens)]):
            words = piece.tokens[at + 1 : min(end, at + 1 + _MAX_WORDS)]
            if words and _ON.fullmatch(piece.tokens[at].text):
                yield words, piece


def _tick_before(piece: Piece, page: PageView) -> bool | None:
    """Whether the box at the beginning of a piece or closely before it is ticked; None without a box."""
    row = page.rows[piece.row].pieces
    before = row[piece.place - 1] if piece.place else None
    near = before is not None and abs(piece.box[0] - before.box[2]) < _NEAR * page.height
    for text in (piece.head, before.head if before is not None and near else ""):
        for box, on in ((_ON, True), (_OFF, False)):
            if (found := box.match(text)) is not None and text[found.end() : found.end() + 1] in ("", " "):
                return on
    return None


def _made(target: Target, label: Label, on: bool, score: float, where: str) -> Candidate:
    piece = label.piece
    why = f"{where} '{said(piece.tokens[: label.end])[:40]}' on page {piece.page}"
    return Candidate(
        target, "yes" if on else "no", [spot(piece.tokens, piece)], score, why, "form", identities(piece.tokens)
    )
