"""Labels of paper forms: numbered questions with the answer under them, and captions in parentheses at a line."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from docsieve.engines.local.fields.candidates import TYPED, Candidate, Scene, identities
from docsieve.engines.local.page.columns import stacked
from docsieve.engines.local.page.view import PageView, Piece, Row, Token, said, spot
from docsieve.engines.local.vocabulary.canon import folded, joined
from docsieve.engines.local.vocabulary.lexicon import GENERIC
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target, Words
from docsieve.values.names import company_clue, person_clue

ASKED = 0.95
WITHIN = 0.8
CAPTION = 0.92
SUBJECT = 0.6
_MIN_SCORE = 0.45
_MIN_QUESTIONS = 2
_MAX_LINES = 3
_MAX_WINDOW = 4
_MAX_WORDS = 12
_REACH = 2.5
_STEM = 6
_HEAD_ROWS = 20
_SHOWN = 40
_NUMBER = re.compile(r"\(?(?:\d{1,2}|[a-z])[.)]+")
_GLUED = re.compile(r"\(?(?:\d{1,2}|[a-z])[.)]+(?=[A-ZÀ-Ý])")
_CAPTION = re.compile(r"\([^\W\d_][^()]{2,70}\)?\W*|(?:as|als|en qualité de|en calidad de) [A-ZÀ-Ý][^.:]{2,50},?")
"""Words in parentheses, or the role of who is named over them: `as Borrower,`."""

_RULE = re.compile(r"[\W_]+")
_ENDS = (":", "?")
_BOX = re.compile(r"[\[(☐☒□■]")


@dataclass(frozen=True, slots=True)
class Question:
    """`lines` are those of the answer, each a run of words of one piece."""

    label: tuple[Token, ...]
    lines: tuple[tuple[tuple[Token, ...], Piece], ...]
    where: str
    worth: float


@dataclass(slots=True)
class Questions:
    """All questions of a document; `labels` are the words that no answer contains."""

    scene: Scene
    found: list[Question] = field(default_factory=list)
    labels: set[int] = field(default_factory=set)
    titles: set[str] = field(default_factory=set)
    upward: set[str] = field(default_factory=set)
    """The captions of the text over them."""

    def __post_init__(self) -> None:
        head = [row for page in self.scene.view.pages[:1] for row in page.rows[:_HEAD_ROWS]]
        titles = [token for row in head for piece in row.pieces if _is_title(piece) for token in piece.tokens]
        self.titles = {folded(token.text)[:_STEM] for token in titles if len(token.text) > _STEM}
        for page in self.scene.view.pages:
            starts = _starts(page)
            if len(starts) >= _MIN_QUESTIONS:
                asked = [_question(piece, first, page, starts) for piece, first in starts.values()]
                self.found += [each for each in asked if each.lines]
                numbers = [token for piece, first in starts.values() for token in piece.tokens[:first]]
                labels = [token for each in asked for token in each.label if len(each.label) <= _MAX_WORDS]
                self.labels |= {id(token) for token in (*numbers, *labels)}
            captions = [piece for piece in page.pieces if is_caption(piece)]
            self.labels |= {id(token) for piece in captions for token in piece.tokens}
            captioned = [each for piece in captions for each in _captioned(piece, page)]
            self.upward |= {said(each.label)[:_SHOWN] for each in captioned if each.where == "above"}
            self.found += captioned

    def candidates(self, target: Target, matcher: Matcher) -> Iterator[Candidate]:
        subject = target.type in ("name", "person", "text") and self._is_subject(target)
        for question in self.found:
            score = _score(question, matcher) * question.worth
            if subject and _words(question) == ("name",):
                score = max(score, SUBJECT)
            if score >= _MIN_SCORE and (answer := self._answer(question, target)) is not None:
                tokens, piece = answer
                shown = said(question.label)[:_SHOWN]
                yield Candidate(
                    target,
                    said(tokens).strip(" ,;:|"),
                    [spot(tokens, piece)],
                    score,
                    f"{question.where} '{shown}' on page {piece.page}",
                    "question",
                    identities(tokens),
                    match=score,
                )

    def without_labels(self, candidates: list[Candidate]) -> list[Candidate]:
        """A question is never the answer to another one, nor is the text under the caption of something else."""
        return [
            each
            for each in candidates
            if not (each.tokens and each.tokens <= self.labels)
            and not (each.clue is not None and each.clue.where == "below" and each.clue.text in self.upward)
        ]

    def _is_subject(self, target: Target) -> bool:
        """Whether the form's own title names the field's party: `Application` an applicant."""
        party = next((word for word in reversed(target.words) if word not in GENERIC), "")
        return len(party) > _STEM and party[:_STEM] in self.titles

    def _answer(self, question: Question, target: Target) -> tuple[Sequence[Token], Piece] | None:
        for tokens, piece in question.lines:
            if target.type not in TYPED:
                return (tokens, piece) if _answers(tokens, target) else None
            run = {id(token) for token in tokens}
            for span in self.scene.spans.within(target.type, piece):
                excluded = self.scene.ranges.excludes(target.name, span)
                if not excluded and all(id(token) in run for token in span.tokens):
                    return span.tokens, piece
        return None


def is_caption(piece: Piece) -> bool:
    """Whether a piece is words in parentheses, such as those under the line for a signature, or a role."""
    return len(piece.tokens) <= _MAX_WORDS and _CAPTION.fullmatch(piece.head) is not None


def is_rule(piece: Piece) -> bool:
    """Whether a piece is a line to write on."""
    return _RULE.fullmatch(piece.head) is not None


def _starts(page: PageView) -> dict[int, tuple[Piece, int]]:
    """The pieces that begin with a number, by identity, each with the index of its first word after the number."""
    found: dict[int, tuple[Piece, int]] = {}
    for row in page.rows:
        numbered = False
        for piece in row.pieces:
            first = 0
            while first < len(piece.tokens) and first < 2 and _NUMBER.fullmatch(piece.tokens[first].text):
                first += 1
            if first == len(piece.tokens):
                numbered = True
                continue
            if not piece.tokens[first].names:
                continue
            if first or numbered or _GLUED.match(piece.tokens[0].text):
                found[id(piece)] = piece, first
            numbered = False
    return found


def _question(piece: Piece, first: int, page: PageView, starts: dict[int, tuple[Piece, int]]) -> Question:
    tokens = piece.tokens[first:]
    colon = next((at for at, token in enumerate(tokens) if token.text.endswith(_ENDS)), len(tokens) - 1)
    label, rest = list(tokens[: colon + 1]), tokens[colon + 1 :]
    if any(any(map(str.isalnum, token.text)) for token in rest):
        return Question(tuple(label), ((tuple(rest), piece),), "after", ASKED)
    lines: list[tuple[tuple[Token, ...], Piece]] = []
    for under in _under(piece, page, starts):
        text = under.text
        open_label = not label[-1].text.endswith((".", *_ENDS))
        if not lines and open_label and text[:1].islower():
            label += under.tokens
        elif _BOX.match(text) or len(lines) == _MAX_LINES:
            break
        elif not is_rule(under):
            lines.append((tuple(under.tokens), under))
    return Question(tuple(label), tuple(lines), "below", ASKED)


def _under(piece: Piece, page: PageView, starts: dict[int, tuple[Piece, int]]) -> Iterator[Piece]:
    """The first piece of each row below a question in its column, down to the next question."""
    height = page.height
    left = piece.box[0] - height
    later = [other.box[0] for other in page.rows[piece.row].pieces[piece.place + 1 :]]
    right = min(later, default=page.page.width) - height / 2
    last = piece.box[3]
    for row in page.rows[piece.row + 1 :]:
        if row.box[1] - last > _REACH * height or any(
            id(other) in starts and other.box[0] < right for other in row.pieces
        ):
            return
        inside = [other for other in row.pieces if left <= other.box[0] < right]
        if inside:
            last = inside[0].box[3]
            yield inside[0]


def _captioned(caption: Piece, page: PageView) -> Iterator[Question]:
    """The text on the line over a caption, or under it where that line is empty."""
    for step, where in ((-1, "above"), (1, "below")):
        if (piece := _written(caption, page, step)) is not None:
            yield Question(tuple(caption.tokens), ((tuple(piece.tokens), piece),), where, CAPTION)
            return


def _written(caption: Piece, page: PageView, step: int) -> Piece | None:
    for at in range(caption.row + step, caption.row + 4 * step, step):
        if not 0 <= at < len(page.rows):
            return None
        row: Row = page.rows[at]
        if max(row.box[1] - caption.box[3], caption.box[1] - row.box[3]) > _REACH * page.height:
            return None
        near = [each for each in row.pieces if stacked(each, caption, page.height) and not is_rule(each)]
        if near:
            best = min(near, key=lambda each: abs(each.box[0] - caption.box[0]))
            return None if is_caption(best) or len(best.tokens) > _MAX_WORDS else best
    return None


def _score(question: Question, matcher: Matcher) -> float:
    """How well the whole question names the field, or a run of its words where it is long."""
    words = _words(question)
    if len(words) <= _MAX_WINDOW:
        return matcher.score(words)
    return max((matcher.score(window) for window in _windows(words[:40])), default=0.0) * WITHIN


def _words(question: Question) -> Words:
    return joined(dict.fromkeys(name for token in question.label for name in token.names))


def _is_title(piece: Piece) -> bool:
    words = [token.text for token in piece.tokens if len(token.text) > 3]
    return len(words) <= _MAX_WINDOW and all(word[0].isupper() for word in words)


def _windows(words: Words) -> Iterator[Words]:
    for start in range(len(words)):
        for size in range(2, _MAX_WINDOW + 1):
            window = words[start : start + size]
            if any(word not in GENERIC for word in window):
                yield window


def _answers(tokens: Sequence[Token], target: Target) -> bool:
    """Whether a line can be the value: not a sentence, and for a name capitalized words."""
    words = [token.text for token in tokens if any(map(str.isalpha, token.text))]
    if not words or len(tokens) > _MAX_WORDS:
        return False
    lower = sum(word[0].islower() and len(word) > 3 for word in words)
    if target.type in ("name", "person"):
        return lower * 3 <= len(words) and (
            company_clue(said(tokens)) > 0 or person_clue(said(tokens)) > 0 or words[0][0].isupper()
        )
    return lower * 2 <= len(words)
