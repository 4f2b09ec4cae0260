"""Traits of a candidate: the words around it, its form, its text and its position, as fingerprints.

How often candidates with a trait were right in the examples of a schema is the best evidence about its fields.
"""

import re
from collections.abc import Iterable, Sequence

from docsieve.engines.local.fields.candidates import Candidate, Scene
from docsieve.engines.local.fields.evidence import Clue, clues
from docsieve.engines.local.fields.objections import words_of_label
from docsieve.engines.local.fields.spans import Span
from docsieve.engines.local.lessons.layouts import Guess
from docsieve.engines.local.page.places import mark, skeleton
from docsieve.engines.local.page.view import Piece

TRAITS = ("label", "around", "form", "text", "zone")
"""Kinds of traits. A candidate has at most a few of each."""

_REACH = 2.5
_ZONES = 8
_MAX_FORM = 24
_RUNS = ((re.compile(r"\d+"), "9"), (re.compile(r"[^\W\d_]+"), "a"), (re.compile(r"\s+"), " "))

Traits = dict[str, list[str]]


def traits_of(each: Candidate, scene: Scene) -> Traits:
    around = _clues(each, scene)
    label = words_of_label(each)
    return {
        "label": [mark(" ".join(label))] if label else [],
        "around": sorted({mark(f"{clue.where} {' '.join(clue.words)}") for clue in around if clue.words}),
        "form": [mark(form_of(each.text))],
        "text": [mark(skeleton(each.text))],
        "zone": [_zone(each, scene)],
    }


def nearness(each: Candidate, guesses: Iterable[Guess]) -> float:
    """How near it is to where documents of the same layout have the field: 1 is there, 0 is far away."""
    if not each.spots:
        return 0.0
    spot = each.spots[0]
    return max(
        (
            guess.worth * max(0.0, 1 - guess.distance(spot.box[0], spot.box[1]) / _REACH)
            for guess in guesses
            if (guess.page.number, guess.page.document) == (spot.page, spot.document)
        ),
        default=0.0,
    )


def form_of(text: str) -> str:
    """The text with each number as a digit and each word as a letter: `INV-0042` is `a-9`."""
    for run, sign in _RUNS:
        text = run.sub(sign, text)
    return text[:_MAX_FORM]


def _clues(each: Candidate, scene: Scene) -> Sequence[Clue]:
    if each.span is not None:
        return scene.clues(each.span)
    piece = scene.captions.piece_of(each.tokens)
    at = _first(piece, each.tokens) if piece is not None else None
    if piece is None or at is None:
        return ()
    return clues(Span(piece, at, at, "", None), scene.pages[piece.document, piece.page])


def _first(piece: Piece, tokens: frozenset[int]) -> int | None:
    return next((at for at, token in enumerate(piece.tokens) if id(token) in tokens), None)


def _zone(each: Candidate, scene: Scene) -> str:
    if not each.spots:
        return ""
    spot = each.spots[0]
    page = scene.pages[spot.document, spot.page].page
    return f"{min(spot.page, 3)} {int(_ZONES * spot.box[1] / page.height)}"
