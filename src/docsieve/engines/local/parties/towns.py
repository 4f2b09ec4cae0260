"""Towns, postcodes and states, read out of the last line of an address: for fields that ask for one of them."""

import re
from collections.abc import Iterator

from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.page.view import Piece, Token, said, spot
from docsieve.engines.local.vocabulary.targets import Target

_PARTS = frozenset(("zip", "city", "state"))
_WORTH, _ORDER = 0.6, 0.02
_MAX_FOUND = 8
_NAME = r"[A-ZÀ-Ý][\w.'’-]*(?:[ /](?:[a-z]{1,4} )?[A-ZÀ-Ý(][\w.'’)-]*){0,3}"
_LINES = (
    re.compile(rf"(?P<city>{_NAME}),? (?P<state>[A-Z]{{2}})\.?,? (?P<zip>\d{{5}}(?:-\d{{4}})?)(?!\d)"),
    re.compile(rf"(?P<city>{_NAME}),? (?P<zip>[A-Z]{{1,2}}\d[A-Z\d]? ?\d[A-Z]{{2}})(?!\w)"),
    re.compile(rf"(?:[A-Z]{{1,2}}-)?(?P<zip>\d{{4}} [A-Z]{{2}}|\d{{4}}-\d{{3}}|\d{{4,5}}) (?P<city>{_NAME})$"),
)


def town_candidates(target: Target, scene: Scene) -> Iterator[Candidate]:
    part = next((word for word in reversed(target.words) if word in _PARTS), None)
    if part is None or target.field.kind != "string":
        return
    found = 0
    for piece in scene.view.pieces:
        line = next(filter(None, (each.search(piece.head) for each in _LINES)), None)
        if line is None or not line.groupdict().get(part):
            continue
        tokens = _tokens(piece, *line.span(part))
        yield Candidate(
            target,
            said(tokens).strip(",."),
            [spot(tokens, piece)],
            _WORTH - _ORDER * found,
            f"in an address on page {piece.page}",
            "party",
            identities(tokens),
            match=_WORTH,
        )
        found += 1
        if found == _MAX_FOUND:
            return


def _tokens(piece: Piece, start: int, end: int) -> list[Token]:
    found, at = [], 0
    for token in piece.tokens:
        if start <= at < end:
            found.append(token)
        at += len(token.text) + 1
    return found
