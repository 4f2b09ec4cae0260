"""Free text values: after a label in its line, to its right, or below it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docsieve.engines.local.fields.candidates import Candidate, Way, identities
from docsieve.engines.local.fields.evidence import Clue
from docsieve.engines.local.page.columns import below, ends_as_label, heads_columns, may_hold, stacked
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Token, said, spot
from docsieve.engines.local.vocabulary.canon import joined
from docsieve.engines.local.vocabulary.labels import LabelTable, caption_words, listed
from docsieve.engines.local.vocabulary.lexicon import MEANINGS
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target, Words
from docsieve.values.names import company_clue

AFTER_COLON = 1.0
AFTER = 0.8
AFTER_ONE = 0.7
RIGHT = 0.94
UNDER = 0.86
UNLIKELY = 0.55
HEADED = 0.8

_PRECEDED = 0.85
_AFTER: tuple[str, Way] = ("after", "after")
_RIGHT: tuple[str, Way] = ("right of", "right")
_BELOW: tuple[str, Way] = ("below", "below")
_MAX_LABEL_WORDS = 6
_MAX_LINE_WORDS = 18
_MIN_LABEL_SCORE = 0.35
_LOOSE = frozenset(("date", "time", "amount", "number", "percent"))
_MAX_PRINTED = 6
_LETTERS_OF_A_CODE = 8
_MIN_HEADING_SCORE = 0.6
_LABEL_WORDS = frozenset(MEANINGS) - {"store", "company", "bank", "service", "sales", "item"}
_PUNCTUATION = " :;,|#-–—=."
_TICK_BOX = re.compile(r"[\[(]\s?[xX✓✔]?\s?[\])]|[☐☒☑□■]")
_COPULAS = frozenset(("is", "are", "was", "ist", "sind", "beträgt", "lautet", "est", "sont", "es", "son", "é", "são"))
_NAME = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class Label:
    """Words that may be a label: those of the piece before `end`. `worth` is the weight of their form."""

    page: PageView
    piece: Piece
    end: int
    worth: float


@dataclass(frozen=True, slots=True)
class Heading:
    """Words in a row of headings, and the text under them."""

    page: PageView
    text: str
    value: list[Token]
    piece: Piece


class Phrases:
    """All possible labels and headings of a document, collected once for all fields."""

    def __init__(self, view: DocumentView) -> None:
        self._labels: LabelTable[Label] = LabelTable()
        self._headings: LabelTable[Heading] = LabelTable()
        for page in view.pages:
            for piece in page.pieces:
                for words, label in () if piece.is_label else _labels(piece, page):
                    self._labels.add(words, label)
            for words, label in _captions(page):
                self._labels.add(words, label)
            for words, heading in _headings(page):
                self._headings.add(words, heading)

    @property
    def all_labels(self) -> list[Words]:
        return self._labels.all

    def labels(self, matcher: Matcher) -> list[tuple[Label, float]]:
        """The labels that match the field, the best one per location, in reading order."""
        best: dict[tuple[int, int], tuple[Label, float]] = {}
        for words, labels in self._labels.like(matcher.beginnings):
            score = matcher.score(words)
            for label in labels if score >= _MIN_LABEL_SCORE else ():
                key = (id(label.piece), label.end if label.piece.tokens[label.end - 1].text.endswith(":") else -1)
                if key not in best or score * label.worth > best[key][1] * best[key][0].worth:
                    best[key] = label, score
        return sorted(best.values(), key=lambda each: _order(each[0]))

    def headings(self, matcher: Matcher) -> Iterable[tuple[Heading, float]]:
        for words, headings in self._headings.like(matcher.beginnings):
            score = matcher.score(words)
            if score >= _MIN_HEADING_SCORE:
                yield from ((heading, score) for heading in headings)


def is_loose(target: Target) -> bool:
    """Whether the type of a field is no more than a guess: not that of a concept, or of values with their own form,
    as phone numbers have. Identifiers have many forms, whatever they identify."""
    if not target.is_guessed or target.name in ("tax_id", "registration_number"):
        return False
    return target.type == "id" or (target.concept is None and target.type in _LOOSE)


def printed_candidates(target: Target, matcher: Matcher, phrases: Phrases) -> list[Candidate]:
    """Texts after a label that are no values of the type which the name of the field suggests: `3-4 weeks` is no time
    of day, but may be a lead time; an identifier may be written in parts: `US 12,904,331 B2`."""
    found = text_candidates(target, matcher, phrases)
    return [each for each in found if len(each.tokens) <= _MAX_PRINTED and _is_code(each.text)]


def _company_in(tokens: Sequence[Token]) -> int:
    """How many of the words of a text are a company that a place or something else follows after a comma."""
    for at, token in enumerate(tokens[:-1], 1):
        if token.text.endswith(",") and company_clue(said(tokens[:at]).rstrip(",")) == 1.0:
            return 0 if company_clue(f"x {tokens[at].text}") == 1.0 else at
    return 0


def _is_code(text: str) -> bool:
    """Whether a text may be counted or numbered: with digits, or a few capitals, as for a revision."""
    letters = sum(map(str.isalpha, text))
    return any(map(str.isdigit, text)) or (text.isupper() and letters <= _LETTERS_OF_A_CODE)


def text_candidates(target: Target, matcher: Matcher, phrases: Phrases) -> list[Candidate]:
    found: list[Candidate] = []
    for label, score in phrases.labels(matcher):
        for value, owner, where in _values(label.piece, label.end, label.worth, label.page):
            made = _candidate(target, value, owner, score, where, label.piece, label.end)
            if made is not None:
                found.append(made)
                if (length := _company_in(value)) and (
                    firm := _candidate(target, value[:length], owner, score, where, label.piece, label.end)
                ) is not None:
                    found.append(firm)
    for heading, score in phrases.headings(matcher):
        made = _candidate(target, heading.value, heading.piece, score, HEADED, heading.piece, 0)
        if made is not None:
            made.way = "heading"
            made.why = f"below the heading '{heading.text[:40]}' on page {heading.page.number}"
            found.append(made)
    return found


def _order(label: Label) -> tuple[int, int, int, int, int]:
    piece = label.piece
    return piece.document, piece.page, piece.row, piece.place, label.end


def _headings(page: PageView) -> Iterable[tuple[Words, Heading]]:
    """The text under one of several adjacent headings: between its start and the start of the next one."""
    for row, under in zip(page.rows, page.rows[1:], strict=False):
        if under.box[1] - row.box[3] > 2 * page.height:
            continue
        tokens = [token for piece in row.pieces for token in piece.tokens]
        if len(row.pieces) < 2 or not 3 <= len(tokens) <= 24 or any(map(_has_digits, tokens)):
            continue
        if any(piece.is_label for piece in row.pieces):
            continue
        for start in range(len(tokens)):
            for end in range(start + 1, min(start + 3, len(tokens)) + 1):
                if end < len(tokens) and tokens[end].box[0] - tokens[end - 1].box[2] < 0.5 * page.height:
                    continue  # the heading continues
                left = tokens[start].box[0] - page.height / 2
                right = tokens[end].box[0] - 1 if end < len(tokens) else page.page.width
                for piece in under.pieces:
                    value = [
                        each for each in piece.tokens if left <= each.box[0] and each.box[2] <= right + page.height
                    ]
                    if value:
                        yield _names(tokens[start:end]), Heading(page, said(tokens[start:end]), value, piece)
                        break


def _has_digits(token: Token) -> bool:
    return sum(character.isdigit() for character in token.text) > 1


def _labels(piece: Piece, page: PageView) -> Iterable[tuple[Words, Label]]:
    """Runs of words before a colon, and runs at the beginning of a piece."""
    tokens = piece.tokens
    colons = [at for at, token in enumerate(tokens) if token.text.endswith(":")]
    for colon, after in zip(colons[:20], [0, *(at + 1 for at in colons)], strict=False):
        for start in range(max(after, colon - 4), colon + 1):
            if start == after or start >= colon - 1:
                worth = AFTER_COLON * _PRECEDED ** min(start - after, 4)
                yield _names(tokens[start : colon + 1]), Label(page, piece, colon + 1, worth)
    if len(tokens) > _MAX_LINE_WORDS or (colons and colons[0] < _MAX_LABEL_WORDS):
        return
    doubt = UNLIKELY if company_clue(piece.text) == 1.0 else 1.0
    verb = next((at for at, token in enumerate(tokens) if at and token.text.casefold() in _COPULAS), len(tokens))
    for length in range(1, min(verb, _MAX_LABEL_WORDS) + 1):
        stop = min(_extended(tokens, length), verb)
        worth = AFTER_COLON * doubt if stop == len(tokens) else (AFTER if stop > 1 else AFTER_ONE) * doubt
        yield _names(tokens[:stop]), Label(page, piece, stop, worth)


def _captions(page: PageView) -> Iterable[tuple[Words, Label]]:
    """The labels in the cells of forms, over values or alone; those of several lines are one label."""
    for labels in page.captions.values():
        for at, first in enumerate(labels):
            if at and first.box[1] > labels[0].middle:
                break
            lines = [
                first,
                *(
                    each
                    for each in labels[at + 1 :]
                    if each.box[1] > first.middle and stacked(first, each, page.height)
                ),
            ]
            words = caption_words([token.text for line in lines for token in line.tokens])
            label = Label(page, lines[-1], len(lines[-1].tokens), AFTER_COLON)
            yield words, label
            yield from ((each, label) for each in listed(words))


def _extended(tokens: Sequence[Token], end: int) -> int:
    """A label continues while its words are label words: an advertiser's code is not the advertiser."""
    while end < len(tokens) and tokens[end].names and set(tokens[end].names) <= _LABEL_WORDS:
        if tokens[end - 1].text.endswith(":"):
            break
        end += 1
    if end < len(tokens) and tokens[end].text.startswith("("):
        closing = next((at for at in range(end, len(tokens)) if tokens[at].text.rstrip(":").endswith(")")), None)
        return end if closing is None else closing + 1
    return end


def _values(piece: Piece, end: int, strength: float, page: PageView) -> Iterable[tuple[list[Token], Piece, float]]:
    rest = piece.tokens[end:]
    if len(rest) > 1 and rest[0].text.casefold() in _COPULAS:
        rest = rest[1:]
    if any(any(map(str.isalnum, token.text)) for token in rest):
        yield _to_next_label(rest), piece, strength
        return
    sure = strength / AFTER_COLON
    headed = heads_columns(piece, page)
    row = page.rows[piece.row].pieces
    under = below(piece, page, limit=1, gap=2.2)
    if piece.place + 1 < len(row):
        right = row[piece.place + 1]
        if not ends_as_label(right) and may_hold(piece, right) and not _are_twins(piece, right, under):
            value, last = list(right.tokens), right
            for more in row[piece.place + 2 :]:
                if more.box[0] - last.box[2] > 1.6 * page.height or ends_as_label(more) or not may_hold(piece, more):
                    break
                value += more.tokens
                last = more
            yield _to_next_label(value), right, sure * (UNLIKELY if headed else RIGHT)
    if under and not ends_as_label(under[0]):
        yield _to_next_label(under[0].tokens), under[0], sure * (RIGHT if headed else UNDER)


def _are_twins(label: Piece, right: Piece, under: Sequence[Piece]) -> bool:
    """Whether a label and the text to its right are both in capitals, and the text under the label is not: then there
    are two labels, and one has no value."""
    return (
        label.head.isupper()
        and right.head.isupper()
        and bool(under)
        and not under[0].head.isupper()
        and (any(map(str.islower, under[0].head)))
    )


def _to_next_label(tokens: Sequence[Token]) -> list[Token]:
    """Cut the text where the next label begins: one or two words before a colon."""
    for at, token in enumerate(tokens):
        if at > 0 and token.text.endswith(":") and token.names:
            start = at
            while start > 1 and tokens[start - 1].names and set(tokens[start - 1].names) <= _LABEL_WORDS:
                start -= 1
            return list(tokens[:start])
    return list(tokens)


def _candidate(
    target: Target, tokens: list[Token], owner: Piece, alike: float, worth: float, label: Piece, end: int
) -> Candidate | None:
    """`alike` is how well the label matches the field, `worth` the weight of its position."""
    text = said(tokens).strip().strip(_PUNCTUATION if target.type != "name" else " :;,|#-–—=")
    if not text or len(text) > 300 or not any(map(str.isalnum, text)) or _TICK_BOX.match(text):
        return None
    if target.type in ("name", "person", "country") and not _NAME.search(text):
        return None
    if owner is label and end and text[0].islower() and not label.tokens[end - 1].text.endswith(":"):
        worth *= UNLIKELY
    where, way = _AFTER if owner is label else _RIGHT if owner.row == label.row else _BELOW
    shown = said(label.tokens[:end]).strip(" :")[:40]
    why = f"{where} '{shown}' on page {owner.page}"
    words = _names(label.tokens[:end][-_MAX_LABEL_WORDS:])
    clue = Clue(words, worth, where, shown) if shown else None
    spots = [spot(tokens, owner)]
    return Candidate(target, text, spots, alike * worth, why, way, identities(tokens), match=alike, clue=clue)


def _names(tokens: Sequence[Token]) -> Words:
    return joined(dict.fromkeys(name for token in tokens for name in token.names))
