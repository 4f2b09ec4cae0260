"""Scores how well the words to the left and above match the label of a field."""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import lru_cache

from docsieve.analysis.proof.grounding.words import WIDE_SPACE, PageWord, WordIndex, runs_of
from docsieve.domain.schemas.fields import ITEM, SchemaField

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDS_BEFORE = 8
_ROWS_ABOVE = 2
_ABOVE_WEIGHT = 0.9
_FILLER = frozenset(["the", "of", "and", "or", "a", "an", "in", "for", "to", "der", "die", "das", "de", "la", "le"])

# Synonyms of label words, one group per line.
_SAME = """
total gross grand sum due payable balance betrag gesamt gesamtbetrag gesamtsumme summe brutto montant importe totale
total totaal kwota razem suma
subtotal net netto nettobetrag zwischensumme untaxed
tax vat gst mwst ust umsatzsteuer tva iva btw steuer moms
number num no nr nummer numéro numero número id ref reference code
date datum fecha data dated
due fällig fällig zahlbar échéance vencimiento
invoice bill rechnung facture factura fattura faktura
receipt quittung beleg
seller vendor supplier issuer company merchant store from verkäufer lieferant
buyer customer client recipient kunde käufer empfänger bill sold
quantity qty menge anzahl quantité cantidad
price rate unit preis einzelpreis prix precio
phone tel telephone telefon fax mobile
address addr adresse anschrift dirección
name
"""


@lru_cache(maxsize=2048)
def label_words(field: SchemaField) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The words of each label of the field, each with its synonyms."""
    labels = [*field.labels, field.title, field.name]
    parents = [part for part in field.path[:-1] if part != ITEM]
    if parents and field.group is None:
        labels.append(f"{parents[-1]} {field.name}")
    found = []
    for label in labels:
        words = [run for run in runs_of(_CAMEL.sub(" ", label).replace("_", " ")) if run not in _FILLER]
        if words:
            found.append(tuple((word, *sorted(_same_words().get(word, ()))) for word in words))
    return tuple(dict.fromkeys(found))


def label_score(index: WordIndex, field: SchemaField, words: tuple[int, ...]) -> float:
    """The share of the words of the field's best label that are to the left or above, from 0 to 1."""
    labels = label_words(field)
    if not labels:
        return 0.0
    before, above = _around(index, words[0])
    if not before and not above:
        return 0.0
    best = 0.0
    for label in labels:
        said = sum(max(_said(choices, before), _ABOVE_WEIGHT * _said(choices, above)) for choices in label)
        best = max(best, said / len(label))
    return best


def label_at(index: WordIndex, field: SchemaField, taken: AbstractSet[int]) -> tuple[int, ...]:
    """The words of a label of the field that starts a line or follows a wide space in it; empty if there is none.

    Words within a sentence do not count, and neither does a label next to or above words in `taken`, which belong to
    another field's value.
    """
    for label in label_words(field):
        for spelling in label[0]:
            for offset in index.tokens.get(spelling, ()):
                word = index.word_at(offset)
                if index.starts[word] == offset and _begins_part(index, word):
                    words = _reading(index, word, label)
                    if words and not _leads_to(index, word, taken):
                        return words
    return ()


def labels_of(fields: Iterable[SchemaField]) -> frozenset[tuple[str, ...]]:
    """The words of the labels of all fields, without synonyms."""
    return frozenset(tuple(choices[0] for choices in label) for field in fields for label in label_words(field))


def _begins_part(index: WordIndex, word: int) -> bool:
    here = index.words[word]
    if index.lines[here.line][0] == word:
        return True
    return here.box[0] - index.words[word - 1].box[2] > WIDE_SPACE * (here.box[3] - here.box[1])


def _reading(index: WordIndex, word: int, label: tuple[tuple[str, ...], ...]) -> tuple[int, ...]:
    """The words of the line from this one on that the label consists of."""
    last = index.lines[index.words[word].line][1]
    runs = [(run, each) for each in range(word, min(word + len(label), last)) for run in index.runs[each]]
    if len(runs) < len(label) or any(run not in choices for (run, _), choices in zip(runs, label, strict=False)):
        return ()
    return tuple(range(word, runs[len(label) - 1][1] + 1))


def _leads_to(index: WordIndex, word: int, taken: AbstractSet[int]) -> bool:
    here = index.words[word]
    right = (each for each in index.rows[here.row] if index.words[each].box[0] >= here.box[0])
    below = index.rows[here.row + 1] if here.row + 1 < len(index.rows) else []
    under = (each for each in below if _is_under(index.words[each], here))
    return any(each in taken for each in (*right, *under))


def _is_under(word: PageWord, label: PageWord) -> bool:
    return word.page == label.page and word.box[0] < label.box[2] and label.box[0] < word.box[2]


def _said(choices: tuple[str, ...], around: set[str]) -> float:
    word = choices[0]
    if word in around or any(len(word) >= 4 and (each.startswith(word) or word in each) for each in around):
        return 1.0
    return 0.8 if any(each in around for each in choices[1:]) else 0.0


def _around(index: WordIndex, word: int) -> tuple[set[str], set[str]]:
    here = index.words[word]
    x0, y0, x1, y1 = here.box
    row = index.rows[here.row]
    left = [each for each in row if index.words[each].box[2] <= x0 + 1 and each != word]
    before = {run for each in left[-_WORDS_BEFORE:] for run in index.runs[each]}
    if (form_field := index.form_fields.get(here.line)) is not None:
        before |= set(runs_of(_CAMEL.sub(" ", form_field.name).replace("_", " ")))
    # a label may be attached to its value without a space
    before |= set(runs_of(re.sub(r"[\d.,/\-]+", " ", here.text)))
    above: set[str] = set()
    height = y1 - y0
    for number in range(max(here.row - _ROWS_ABOVE, 0), here.row):
        for each in index.rows[number]:
            other = index.words[each]
            if other.page != here.page or y0 - other.box[3] > 2.5 * height:
                continue
            if other.box[0] < x1 + 4 * height and other.box[2] > x0 - 4 * height:
                above.update(index.runs[each])
    return before, above


@lru_cache(maxsize=1)
def _same_words() -> dict[str, set[str]]:
    same: dict[str, set[str]] = {}
    for line in _SAME.strip().splitlines():
        words = {run for word in line.split() for run in runs_of(word)}
        for word in words:
            same.setdefault(word, set()).update(words - {word})
    return same
