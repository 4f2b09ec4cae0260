"""All the text under a heading or in a cell, for fields that ask for more than a line: conditions, instructions."""

from collections.abc import Iterator

from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.fields.phrases import Label, Phrases
from docsieve.engines.local.page.columns import below, ends_as_label, may_hold
from docsieve.engines.local.page.view import Piece, Token, said, spot
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target

_MIN_SCORE = 0.45
_MIN_WORDS = 4
_MAX_LINES = 30
_MAX_LENGTH = 4000
_WORTH = 0.8
_LIKE_LABEL = 0.5
_APART = 1.2


def block_candidates(target: Target, matcher: Matcher, phrases: Phrases, scene: Scene) -> Iterator[Candidate]:
    """Only of several lines: one line is found without this."""
    for label, score in phrases.labels(matcher) if target.type == "text" else ():
        lines = list(_lines(label, scene)) if score >= _MIN_SCORE and _is_whole(label) else []
        tokens = [token for line, _ in lines for token in line]
        text = " ".join(said(line) for line, _ in lines)
        if len(lines) > 1 and len(tokens) >= _MIN_WORDS and len(text) <= _MAX_LENGTH:
            yield Candidate(
                target,
                text.strip(" :;,|"),
                [spot(line, piece) for line, piece in lines],
                score * _WORTH,
                f"all under '{said(label.piece.tokens[: label.end])[:40]}' on page {label.piece.page}",
                "heading",
                identities(tokens),
                match=score,
            )


def _is_whole(label: Label) -> bool:
    """Whether a label ends its piece or at a colon: the first words of a sentence are no heading."""
    return label.end == len(label.piece.tokens) or label.piece.tokens[label.end - 1].text.endswith(":")


def _lines(label: Label, scene: Scene) -> Iterator[tuple[list[Token], Piece]]:
    """The lines of a paragraph: after the label in its line, to its right, or below it."""
    piece, page = label.piece, label.page
    rest = piece.tokens[label.end :]
    row = page.rows[piece.row].pieces
    first = piece
    if rest:
        yield rest, piece
    elif piece.place + 1 < len(row) and _may_be_its_value(piece, row[piece.place + 1]):
        first = row[piece.place + 1]
        yield list(first.tokens), first
    for under in below(first, page, limit=_MAX_LINES, gap=_APART, first_gap=None if rest else 2.2):
        if under.heading or ends_as_label(under) or scene.looks_like_label(identities(under.tokens)) >= _LIKE_LABEL:
            return
        yield list(under.tokens), under


def _may_be_its_value(label: Piece, right: Piece) -> bool:
    return may_hold(label, right) and not ends_as_label(right)
