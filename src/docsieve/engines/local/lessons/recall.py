"""Candidates from lessons: known values, and text where documents of the same layout have the field.

How likely they are is for the residual to say.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.lessons.layouts import Guess
from docsieve.engines.local.lessons.record import FieldLessons
from docsieve.engines.local.page.places import MAX_LINES, Place, mark, runs_from, skeleton, text_of
from docsieve.engines.local.page.view import Piece, spot
from docsieve.engines.local.vocabulary.targets import Target

_MAX_PAGES = 3
_RESPELLED = 4
_SAME_TEXT = 0.92


def recalled(target: Target, lessons: FieldLessons, scene: Scene) -> Iterable[Candidate]:
    """Text candidates: known texts anywhere, and any text where the layout has the field."""
    if lessons.known:
        for page in scene.view.pages[:_MAX_PAGES]:
            for piece in page.pieces:
                for place in runs_from(piece, page, MAX_LINES):
                    if (key := mark(skeleton(text_of(place)))) in lessons.known:
                        made = _candidate(target, place, "known from verified documents")
                        made.text = lessons.known[key] or made.text
                        yield made
    for guess in lessons.guesses:
        found = _at(guess)
        if found is not None:
            piece, start = found
            *_, place = runs_from(piece, guess.page, guess.lines)
            place = [(piece.tokens[start:], piece), *place[1:]]
            yield _candidate(target, place, f"where papers of this layout have it, on page {guess.page.number}")


def respell(found: Sequence[Candidate], lessons: FieldLessons) -> None:
    """Replace text that differs from a verified spelling only by OCR mistakes; digits must be equal."""
    spelled = [(skeleton(text), text) for text in lessons.known.values() if text]
    for each in sorted(found, key=lambda candidate: -candidate.score)[:_RESPELLED] if spelled else ():
        read = skeleton(each.text)
        likeness, text = max((alike(read, known), text) for known, text in spelled)
        if likeness >= _SAME_TEXT:
            each.text = text


def alike(read: str, known: str) -> float:
    """How similar two skeletons are; 0 if their digits differ."""
    if abs(len(read) - len(known)) > 0.1 * len(known) + 1 or _digits(read) != _digits(known):
        return 0.0
    return SequenceMatcher(None, read, known, autojunk=False).ratio()


def _digits(text: str) -> list[str]:
    return [character for character in text if character.isdigit()]


def _at(guess: Guess) -> tuple[Piece, int] | None:
    unit = max(guess.page.height, 1.0)
    best: tuple[float, Piece, int] | None = None
    for piece in guess.page.pieces:
        if abs(piece.box[1] - guess.y) > unit:
            continue
        for at, token in enumerate(piece.tokens):
            away = abs(token.box[1] - guess.y) + 0.5 * abs(token.box[0] - guess.x)
            if away < 1.5 * unit and (best is None or away < best[0]):
                best = away, piece, at
    return (best[1], best[2]) if best is not None else None


def _candidate(target: Target, place: Place, why: str) -> Candidate:
    text = text_of(place).strip(" :;,|")
    spots = [spot(tokens, piece) for tokens, piece in place]
    return Candidate(
        target, text, spots, 0.0, why, "taught", identities(token for tokens, _ in place for token in tokens)
    )
