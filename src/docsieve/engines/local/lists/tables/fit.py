"""Which column of a table is which field of a list."""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial

from docsieve.engines.local.fields.spans import Spans
from docsieve.engines.local.fields.values import written_cell
from docsieve.engines.local.lists.groups import Column, Group, choices_of, section_column
from docsieve.engines.local.lists.tables.bodies import Body
from docsieve.engines.local.lists.tables.examples import examples_of, likeness
from docsieve.engines.local.lists.tables.grids import Grid
from docsieve.engines.local.lists.tables.order import by_order, by_shape
from docsieve.engines.local.lists.tables.products import quantity_and_price
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.lexicon import GENERIC
from docsieve.values.amounts import find_amounts
from docsieve.values.convert import read_as
from docsieve.values.numbers import find_numbers

MIN_COLUMN_SCORE = 0.42
BY_EXAMPLES = 0.35
UNLIKE = -0.5
BY_TYPE = 0.45
BY_SHAPE = 0.35
BY_TYPES_ONLY = 0.28
MIN_SHAPE_COLUMNS = 3
NEARLY_ALL = 0.8
MIN_WORTH = 0.9
MIN_KNOWN = 2
KINDS = {"amount": "number", "number": "number", "integer": "number", "percent": "percent", "date": "date"}
"""The kind of values that a column of the list holds, if its type says so."""

WITH_DIGITS = frozenset(("amount", "number", "integer", "percent", "date", "time"))

_PARENTHESES = re.compile(r"\([^()]*\)")
_MAX_CAPTION_WORDS = 8
_TEXTS = frozenset(("text", "name"))
_NAMING = frozenset(("name", "description", "label", "title", "item"))


@dataclass(frozen=True, slots=True)
class Fit:
    """`by_column` maps the group's columns to the table's; the entries begin after `header`.

    `section` is the group's column that comes from headings between the rows, or from `caption`, the one over them.
    `evidence` is how well each column was recognized.
    """

    by_column: dict[int, int]
    header: int
    score: float
    section: int | None = None
    caption: str = ""
    evidence: dict[int, float] = field(default_factory=dict)

    def worth(self, at: int) -> float:
        """How much of the confidence in the table holds for one of its columns."""
        return MIN_WORTH + (1 - MIN_WORTH) * min(1.0, self.evidence.get(at, 0.0))


def fit(group: Group, grid: Grid, spans: Spans) -> Fit | None:
    best: Fit | None = None
    for body in grid.bodies:
        found = _Match(group, grid, body, spans).fit()
        if found is not None and (best is None or found.score > best.score + 0.01):
            best = found
    return best


class _Match:
    """A list of the schema next to the rows of a table under a possible header."""

    def __init__(self, group: Group, grid: Grid, body: Body, spans: Spans) -> None:
        self._group = group
        self._columns = group.columns
        self._grid = grid
        self._body = body
        self._spans = spans

    def fit(self) -> Fit | None:
        evidence: dict[int, float] = {}
        chosen: dict[int, int] = {}
        scored = list(self._scores())
        choices = choices_of((at, score) for score, at, _ in scored)
        for score, at, place in sorted(scored, key=partial(self._preference, choices)):
            if at not in chosen and place not in chosen.values() and self._has_type(self._columns[at], place):
                chosen[at] = place
                evidence[at] = score
        return self._completed(chosen, evidence) or self._by_shape()

    def _completed(self, chosen: dict[int, int], evidence: dict[int, float]) -> Fit | None:
        """With the columns whose headings say nothing, but whose place or numbers do."""
        if not chosen or self._body.is_labeled:
            return None
        guesses = dict(chosen)
        self._add_products(guesses)
        self._add_name(guesses)
        guesses |= by_order(len(self._columns), guesses, sorted(self._body.heads), self._reads)
        guesses |= self._only_ones(guesses)
        evidence |= {at: BY_TYPE for at in guesses if at not in chosen}
        share = sum(evidence.values()) / len(self._columns)
        enough = len(guesses) >= min(2, len(self._columns)) and share > 0.25
        return self._made(guesses, share, evidence) if enough else None

    def _made(self, by_column: dict[int, int], score: float, evidence: dict[int, float]) -> Fit:
        section, caption = section_column(self._group, by_column), ""
        if section is None:
            caption = _PARENTHESES.sub("", self._grid.caption).strip(" :")
            section = self._named_by(caption, by_column)
        return Fit(by_column, self._body.start, score, section, caption if section is not None else "", evidence)

    def _named_by(self, caption: str, known: Container[int]) -> int | None:
        """The field without a column whose words are in the short line over the table: `North Wing` for `wing`."""
        words = set(canonical(caption))
        if not 0 < len(words) <= _MAX_CAPTION_WORDS or caption.endswith("."):
            return None
        for at, column in enumerate(self._columns):
            specific = set(column.target.words) - GENERIC
            if at not in known and column.target.field.kind == "string" and specific and specific <= words:
                return at
        return None

    def _scores(self) -> Iterator[tuple[float, int, int]]:
        for place, label in self._body.labels.items():
            for at, column in enumerate(self._columns):
                score = column.matcher.score(label)
                if score > 0 and (examples := examples_of(column.target.field)):
                    alike = likeness(self._body.texts(place), examples)
                    score = 0.0 if alike <= UNLIKE else score + BY_EXAMPLES * max(0.0, alike)
                if score >= MIN_COLUMN_SCORE:
                    yield score, at, place

    def _preference(
        self, choices: Mapping[int, int], scored: tuple[float, int, int]
    ) -> tuple[float, int, bool, int, bool, bool, int]:
        score, at, place = scored
        target = self._columns[at].target
        wordless = target.type in _TEXTS and not self._body.is_text(place)
        sparse = place not in self._body.rows[0]
        first = -place if target.name == "line_total" else place
        return -score, choices[at], target.name != "item_name", at, wordless, sparse, first

    def _by_shape(self) -> Fit | None:
        """Match by the types of the columns. Say so if neither another script nor the title is a reason to."""
        body = self._body
        if len(body.places) < MIN_SHAPE_COLUMNS or not body.has_headings:
            return None
        named = bool(set(self._group.words) & self._grid.caption_words)
        every = range(len(self._columns))
        section = section_column(self._group, ())
        for wanted in (list(every), [at for at in every if at != section]):
            by_column = by_shape(wanted, body.places, self._reads, runs_left=body.runs_left)
            if by_column and (body.is_foreign or named or self._is_telling(by_column)):
                score = BY_SHAPE if body.is_foreign or named else BY_TYPES_ONLY
                return self._made(by_column, score, dict.fromkeys(by_column, score))
        return None

    def _is_telling(self, by_column: dict[int, int]) -> bool:
        """Whether the list begins with a text and goes on with numbers, each under a heading."""
        types = [self._columns[at].target.type for at in sorted(by_column)]
        return (
            set(by_column.values()) <= self._body.heads.keys()
            and types[0] in _TEXTS
            and WITH_DIGITS.issuperset(types[1:])
        )

    def _add_products(self, chosen: dict[int, int]) -> None:
        """Quantity and price without matching headings are the columns whose product is the amount."""
        by_name = {column.target.name: at for at, column in enumerate(self._columns)}
        missing = [name for name in ("quantity", "unit_price") if name in by_name and by_name[name] not in chosen]
        if not missing or by_name.get("line_total") not in chosen:
            return
        number = partial(number_in, spans=self._spans)
        places = sorted({place for row in self._body.rows for place in row})
        numbers = {
            place: [number(row[place].text) if place in row else None for row in self._body.rows] for place in places
        }
        found = quantity_and_price(numbers, chosen[by_name["line_total"]])
        for name, place in zip(("quantity", "unit_price"), found or (), strict=False):
            if name in missing and place not in chosen.values():
                chosen[by_name[name]] = place

    def _add_name(self, chosen: dict[int, int]) -> None:
        """The column of names is usually the first text column, whatever its heading."""
        texts = [at for at, column in enumerate(self._columns) if column.target.type in _TEXTS]
        named = [at for at in texts if self._columns[at].target.name == "item_name"]
        at = next(iter(named or texts), None)
        if at is None or at in chosen or not (named or at == 0 or _NAMING & set(self._columns[at].target.words)):
            return
        examples = examples_of(self._columns[at].target.field)
        for place in sorted(self._body.heads):
            if place not in chosen.values() and self._body.is_text(place):
                if likeness(self._body.texts(place), examples) > UNLIKE:
                    chosen[at] = place
                return

    def _only_ones(self, known: Mapping[int, int]) -> dict[int, int]:
        """The only column of the list for values of a kind is the only one that the table has left."""
        if len(known) < MIN_KNOWN:
            return {}
        wanted: dict[str, list[int]] = {}
        for at, column in enumerate(self._columns):
            if column.target.type in KINDS:
                wanted.setdefault(KINDS[column.target.type], []).append(at)
        given: dict[str, list[int]] = {}
        for place in self._body.places:
            if place not in known.values() and (kind := self._body.kind(place)):
                given.setdefault(kind, []).append(place)
        single = [kind for kind in wanted if len(wanted[kind]) == len(given.get(kind, ())) == 1]
        both = [kind for kind in single if wanted[kind][0] not in known]
        return {wanted[kind][0]: given[kind][0] for kind in both if self._reads(wanted[kind][0], given[kind][0])}

    def _reads(self, at: int, place: int) -> bool:
        """A column without a matching heading fits if nearly all of its cells have the wanted type."""
        wanted = self._columns[at].target
        texts = self._body.texts(place)
        if likeness(texts, examples_of(wanted.field)) <= UNLIKE:
            return False
        if wanted.type == "id":
            return len(texts) > 1 and sum(any(map(str.isdigit, text)) for text in texts) >= NEARLY_ALL * len(texts)
        if wanted.field.kind == "string" and wanted.type not in WITH_DIGITS:
            return self._body.is_text(place)
        values = [written_cell(wanted, text, self._spans) for text in texts if any(map(str.isdigit, text))]
        return len(texts) > 1 and sum(value is not None for value in values) >= NEARLY_ALL * len(texts)

    def _has_type(self, column: Column, place: int) -> bool:
        """Whether the non-empty cells under a matching heading have the wanted type."""
        wanted = column.target
        texts = self._body.texts(place)
        if wanted.name == "item_name" or wanted.type == "name":
            return not texts or sum(any(map(str.isalpha, text)) for text in texts) * 2 > len(texts)
        if wanted.type in ("text", "id", "address", "person"):
            return True
        if not texts:
            return False
        if wanted.field.kind == "string" and wanted.field.format is None:
            return sum(any(map(str.isdigit, text)) for text in texts) * 2 > len(texts) or wanted.type == "enum"
        spans = self._spans
        read = [read_as(text, wanted.field, day_first=spans.day_first, decimal=spans.decimal) for text in texts]
        return sum(value is not None for value in read) * 2 >= len(texts)


def number_in(text: str, spans: Spans) -> Decimal | None:
    found = find_numbers(text[:60], decimal=spans.decimal)
    amounts = find_amounts(text[:60], decimal=spans.decimal)
    return amounts[0][2].value if amounts else found[0][2] if found else None
