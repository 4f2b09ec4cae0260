"""Fields of a fillable form, matched by the words printed around them and by their names."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docsieve.domain.extraction import Spot
from docsieve.domain.pages.coded import coded_fields
from docsieve.domain.pages.page import Box, FormField
from docsieve.engines.local.fields.candidates import Candidate
from docsieve.engines.local.page.columns import above
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Token, said, shared
from docsieve.engines.local.vocabulary.canon import canonical, words_of_name
from docsieve.engines.local.vocabulary.kinship import same_word
from docsieve.engines.local.vocabulary.lexicon import GENERIC
from docsieve.engines.local.vocabulary.targets import Target, Words

MIN_SCORE = 0.5
BASE = 0.55
BY_NAME = 0.95
BELOW = 0.85
LEFT = 0.95

_FIRST_CLAUSE = re.compile(r"^\W*(?:\d+\w?\b[.)]?\s*)?(.+?)(?:[.;(]\s|\s\(|[.:;]?$)")
_REACH = 2.4


@dataclass(slots=True, eq=False)
class Blank:
    """One input of the form, or several side by side that hold one value."""

    page: PageView
    text: str
    ticked: bool | None
    box: Box
    labels: list[tuple[Words, float, str]]


def blanks_of(view: DocumentView) -> list[Blank]:
    return [blank for page in view.pages for blank in _blanks(page)]


def form_candidates(targets: Sequence[Target], blanks: Sequence[Blank]) -> dict[str, Candidate]:
    """At most one input per field and one field per input, best match first, then in order."""
    fits = []
    for at, target in enumerate(targets):
        for number, blank in enumerate(blanks):
            score, shown = max(
                ((_fit(target, words) * worth, text) for words, worth, text in blank.labels), default=(0, "")
            )
            if score >= MIN_SCORE and _may_be(target, blank):
                fits.append((-round(score, 3), at, number, shown))
    found: dict[str, Candidate] = {}
    used: set[int] = set()
    for score, at, number, shown in sorted(fits):
        target, blank = targets[at], blanks[number]
        if target.field.pattern in found or number in used:
            continue
        used.add(number)
        text = blank.text if blank.ticked is None else _tick(target, blank.ticked)
        if not text:
            continue
        spots = [Spot(blank.page.number, blank.box, blank.text, blank.page.document)]
        why = f"form field at '{shown[:40]}' on page {blank.page.number}"
        found[target.field.pattern] = Candidate(
            target, text, spots, BASE - (1 - BASE) * score, why, "form", match=-score
        )
    return found


def _tick(target: Target, ticked: bool) -> str:
    if target.field.kind == "boolean" or target.field.enum is not None:
        return "yes" if ticked else "no"
    return "selected" if ticked else "unselected"


def _may_be(target: Target, blank: Blank) -> bool:
    if blank.ticked is not None:
        return target.type in ("boolean", "enum", "text", "name", "amount")
    digits = any(map(str.isdigit, blank.text))
    return target.type != "boolean" and (
        target.type not in ("amount", "number", "integer", "date", "percent") or digits
    )


def _fit(target: Target, label: Words) -> float:
    return max((weight * _recalled(phrase, label) for phrase, weight in target.own), default=0.0)


def _recalled(phrase: Words, label: Words) -> float:
    """How much of the phrase the label contains. Labels of forms are long, so additional words cost nothing."""
    if not label:
        return 0.0
    weights = {word: 0.5 if word in GENERIC and len(phrase) > 1 else 1.0 for word in phrase}
    initials = "".join(word[0] for word in label)
    met = 0.0
    for word, weight in weights.items():
        share = max(same_word(word, other) for other in label)
        if not share and 3 <= len(word) <= 5 and word in initials:
            share = 1.0
        met += weight * share
    used = sum(any(same_word(word, other) for word in phrase) for other in label[:6])
    return float((met / sum(weights.values())) ** 1.2 * (0.85 + 0.15 * used / min(len(label), 6)))


def _blanks(page: PageView) -> Iterable[Blank]:
    fields = [each for each in page.page.form_fields if each.kind in ("text", "choice", "checkbox", "radio")]
    for run in _side_by_side(fields):
        first = run[0]
        box = (run[0].box[0], min(f.box[1] for f in run), run[-1].box[2], max(f.box[3] for f in run))
        if first.kind in ("checkbox", "radio"):
            labels = [*_right_of(box, page), *_names(first)]
            yield Blank(page, said(_inside(box, page)), bool(first.value) and first.value != "Off", box, labels)
            continue
        value = " ".join(_text(each) for each in run).strip()
        if value:
            shown = said(token for token in _inside(box, page) if any(map(str.isalnum, token.text)))
            same = re.sub(r"\W", "", shown) == re.sub(r"\W", "", value)
            labels = [*_above(box, page), *_left_of(box, page), *_below(box, page), *_names(first)]
            yield Blank(page, shown if same else value, None, box, labels)
    yield from _codes(page)


def _codes(page: PageView) -> Iterable[Blank]:
    """Values of QR codes and barcodes, by the name that their format gives them, or by what is printed around them."""
    for each in coded_fields(page.page.codes):
        around = [] if each.name else [*_above(each.box, page), *_left_of(each.box, page), *_below(each.box, page)]
        yield Blank(page, _text(each), None, each.box, [*around, *_names(each)])


def _side_by_side(fields: Sequence[FormField]) -> Iterable[list[FormField]]:
    """Inputs of one parent in one row hold the parts of one value, such as the digit groups of a number."""
    run: list[FormField] = []
    for each in fields:
        if run and not _is_next(run[-1], each):
            yield run
            run = []
        run.append(each)
    if run:
        yield run


def _is_next(last: FormField, each: FormField) -> bool:
    if each.kind != "text" or last.kind != "text" or not (_text(each).isdigit() and _text(last).isdigit()):
        return False
    row = shared((last.box[1], last.box[3]), (each.box[1], each.box[3])) > 0.8
    near = 0 <= each.box[0] - last.box[2] < 1.5 * (each.box[3] - each.box[1])
    return row and near and last.name.rpartition(".")[0] == each.name.rpartition(".")[0]


def _text(each: FormField) -> str:
    value = each.value
    return ", ".join(value) if isinstance(value, list) else value if isinstance(value, str) else ""


def _inside(box: Box, page: PageView) -> list[Token]:
    return [
        token
        for piece in page.pieces
        if piece.box[1] < box[3] and piece.box[3] > box[1]
        for token in piece.tokens
        if box[0] - 1 <= (token.box[0] + token.box[2]) / 2 <= box[2] + 1
        and box[1] <= (token.box[1] + token.box[3]) / 2 <= box[3]
    ]


def _clue(piece: Piece, worth: float) -> tuple[Words, float, str]:
    text = piece.text[:160]
    clause = _FIRST_CLAUSE.match(text)
    return canonical(clause[1] if clause else text), worth, text


def _clues(piece: Piece, worth: float) -> Iterable[tuple[Words, float, str]]:
    yield _clue(piece, worth)
    yield canonical(piece.text[:160]), worth * 0.95, piece.text


def _above(box: Box, page: PageView) -> Iterable[tuple[Words, float, str]]:
    over = [
        piece
        for piece in page.pieces
        if 0 < box[1] + 0.3 * page.height - piece.middle < _REACH * page.height
        and shared((piece.box[0], piece.box[2]), (box[0], box[2])) > 0.3
        and piece.box[0] > box[0] - 4 * page.height
    ]
    nearest = sorted(over, key=lambda piece: (-round(piece.middle / page.height), abs(piece.box[0] - box[0])))
    return [clue for at, piece in enumerate(nearest[:2]) for clue in _clues(piece, 1.0 - 0.05 * at)]


def _below(box: Box, page: PageView) -> Iterable[tuple[Words, float, str]]:
    under = [
        piece
        for piece in page.pieces
        if 0 < piece.middle - box[3] < 1.2 * page.height
        and shared((piece.box[0], piece.box[2]), (box[0], box[2])) > 0.3
    ]
    return [_clue(min(under, key=lambda piece: abs(piece.box[0] - box[0])), BELOW)] if under else []


def _left_of(box: Box, page: PageView) -> Iterable[tuple[Words, float, str]]:
    left = [piece for piece in page.pieces if box[1] < piece.middle < box[3] and piece.box[2] <= box[0] + 2]
    if not left:
        return []
    nearest = max(left, key=lambda piece: piece.box[2])
    over = above(nearest, page, reach=0.8)
    text = f"{over.text[-80:] if over is not None else ''} {nearest.text[-80:]}"
    return [(canonical(nearest.text[-80:]), LEFT, nearest.text[-80:]), (canonical(text), LEFT * 0.95, text)]


def _right_of(box: Box, page: PageView) -> Iterable[tuple[Words, float, str]]:
    middle = (box[1] + box[3]) / 2
    right = [
        piece
        for piece in page.pieces
        if abs(piece.middle - middle) < page.height and piece.box[0] >= box[2] - 2 and piece.box[0] - box[2] < 40
    ]
    return [_clue(min(right, key=lambda piece: piece.box[0]), 1.0)] if right else []


def _names(each: FormField) -> Iterable[tuple[Words, float, str]]:
    for part in each.name.split("."):
        words = words_of_name(re.sub(r"\[\d+\]|\d+", " ", part))
        if any(len(word) > 2 for word in words):
            yield words, BY_NAME, part
