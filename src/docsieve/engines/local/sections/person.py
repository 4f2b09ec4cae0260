"""The lines under a person's name at the head of a resume: the profession, and the place next to phone and email."""

import re
from collections.abc import Iterator

from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.page.view import PageView, Piece, Token, said, spot
from docsieve.engines.local.sections.kinds import ROLE
from docsieve.engines.local.vocabulary.canon import folded
from docsieve.engines.local.vocabulary.targets import Target
from docsieve.values.names import company_clue

_PLACE = frozenset(["city", "location", "place", "residence", "town"])
_PROFESSION = frozenset(["headline", "title", "profession", "occupation", "job", "position", "current", "professional"])
_BETWEEN = frozenset("·•|●–—-")
_OTHER = re.compile(r"[\d@:/]|\.$")
_HEAD_ROWS = 12
_MAX_WORDS = 4
_WORTH = 0.8


def person_candidates(target: Target, scene: Scene) -> list[Candidate]:
    words = set(target.words)
    if not words or not scene.view.pages:
        return []
    page = scene.view.pages[0]
    if words <= _PLACE:
        return [_candidate(target, tokens, piece, "next to phone or email") for tokens, piece in _places(page, scene)]
    if words <= _PROFESSION:
        return [_candidate(target, piece.tokens, piece, "a profession at the head") for piece in _professions(page)]
    return []


def _places(page: PageView, scene: Scene) -> Iterator[tuple[list[Token], Piece]]:
    """The parts of a line of contact details that are neither numbers nor addresses."""
    for piece in (piece for row in page.rows[1:_HEAD_ROWS] for piece in row.pieces):
        if scene.spans.within("email", piece) or scene.spans.within("phone", piece):
            for tokens in _parts(piece):
                text = said(tokens)
                if len(tokens) <= _MAX_WORDS and text[:1].isupper() and not _OTHER.search(text):
                    yield tokens, piece


def _parts(piece: Piece) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in piece.tokens:
        if token.text in _BETWEEN:
            if part:
                yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def _professions(page: PageView) -> Iterator[Piece]:
    for piece in (row.pieces[0] for row in page.rows[1:4]):
        plain = folded(piece.head)
        few = len(piece.tokens) <= _MAX_WORDS + 2
        if few and ROLE.search(plain) and not any(map(str.isdigit, plain)) and company_clue(piece.head) < 1:
            yield piece
            return


def _candidate(target: Target, tokens: list[Token], piece: Piece, why: str) -> Candidate:
    return Candidate(
        target,
        said(tokens),
        [spot(tokens, piece)],
        _WORTH,
        f"{why} of page {piece.page}",
        "party",
        identities(tokens),
        match=_WORTH,
    )
