"""Locations given by an engine, accepted only if the page confirms them."""

from collections.abc import Sequence

from docsieve.analysis.proof.grounding.labels import label_words
from docsieve.analysis.proof.grounding.matches import Match, following
from docsieve.analysis.proof.grounding.words import WordIndex, runs_of
from docsieve.domain.extraction import Found, Spot
from docsieve.domain.schemas.fields import Scalar, SchemaField
from docsieve.values.booleans import CHECKED_MARKS, UNCHECKED_MARKS, parse_boolean
from docsieve.values.convert import read_as
from docsieve.values.normal import normalized

_MARGIN = 1.5


def by_spots(
    index: WordIndex, pages: dict[tuple[int, int], int], field: SchemaField | None, found: Found, matches: list[Match]
) -> Match | None:
    """The engine's location of the value, if the value is there. `pages` is keyed by document and page number."""
    words = _spot_words(index, pages, found.spots)
    if not words:
        return None
    inside = set(words)
    candidates = [each for word in words for each in following(matches, word, 3) if each.words[0] == word]
    if candidates:
        return max(candidates, key=lambda each: (each.score, sum(word in inside for word in each.words)))
    text = " ".join(index.words[word].text for word in words)
    if _supports(text, found.value, field) or _marks(index, words, found.value, field):
        return Match(tuple(words), 0.9)
    return None


def by_mark(index: WordIndex, field: SchemaField, value: bool) -> Match | None:
    """A boolean is confirmed by a mark or a word for yes or no next to the field's label, or by a form field."""
    for line, form_field in index.form_fields.items():
        if form_field.kind not in ("checkbox", "radio") or not _names(runs_of(form_field.name), field):
            continue
        first, last = index.lines[line]
        if any(_mark(index.words[word].text) is value for word in range(first, last)):
            return Match(tuple(range(first, last)), 1.0)
    for label in label_words(field):
        rare = min((choices[0] for choices in label), key=lambda word: len(index.tokens.get(word, ())))
        for place in index.tokens.get(rare, ())[:50]:
            row = index.rows[index.words[index.word_at(place)].row]
            runs = [run for word in row for run in runs_of(index.words[word].text)]
            said = [word for word in row if _mark(index.words[word].text) is value]
            against = [word for word in row if _mark(index.words[word].text) is (not value)]
            if all(choices[0] in runs for choices in label) and said and not against:
                return Match(tuple(sorted({index.word_at(place), said[0]})), 0.9)
    return None


def _spot_words(index: WordIndex, pages: dict[tuple[int, int], int], spots: Sequence[Spot]) -> list[int]:
    words: list[int] = []
    for spot in spots:
        page = pages.get((spot.document, spot.page))
        if page is None:
            continue
        x0, y0, x1, y1 = spot.box
        words += index.words_in(page, (x0 - _MARGIN, y0 - _MARGIN, x1 + _MARGIN, y1 + _MARGIN))
    return list(dict.fromkeys(words))


def _supports(text: str, value: Scalar, field: SchemaField | None) -> bool:
    if field is None or isinstance(value, bool):
        return False
    read = read_as(text, field)
    return read is not None and normalized(read, field) == normalized(value, field)


def _marks(index: WordIndex, words: list[int], value: Scalar, field: SchemaField | None) -> bool:
    said = value if isinstance(value, bool) else parse_boolean(value) if isinstance(value, str) else None
    if said is None:
        return False
    texts = [index.words[word].text for word in words]
    marks = {_mark(text) for text in texts} - {None}
    if marks:
        return marks == {said}
    # Words that name the field confirm true; nothing can confirm false this way.
    return said and field is not None and _names([run for text in texts for run in runs_of(text)], field)


def _mark(text: str) -> bool | None:
    bare = text.strip("[]().,:;")
    if bare and bare[0] in CHECKED_MARKS:
        return True
    if bare and bare[0] in UNCHECKED_MARKS:
        return False
    return parse_boolean(text) if len(text) > 1 or text in "xX" else None


def _names(runs: list[str], field: SchemaField) -> bool:
    there = "".join(runs)
    return any(all(choices[0] in there for choices in label) for label in label_words(field))
