"""Lists of periods and values: the columns of one line of a statement, or all of its cells."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docsieve.engines.local.lists.groups import Cell, Group, Listing
from docsieve.engines.local.lists.statements.pages import Line, Statement, statements_in
from docsieve.engines.local.lists.statements.periods import fiscal_label, last_month, period_of
from docsieve.engines.local.page.view import DocumentView, Piece, spot
from docsieve.engines.local.vocabulary.canon import folded
from docsieve.engines.local.vocabulary.targets import Target, Words
from docsieve.values.currencies import currency_of

_PERIOD = frozenset(("period", "date", "year", "quarter", "month"))
_SCALE = frozenset(("scale", "multiplier", "factor"))
_UNIT = frozenset(("unit", "currency"))
_NAMING = frozenset(("name", "description", "item", "caption", "label", "line", "account", "metric"))
_NUMERIC = frozenset(("amount", "number", "integer", "percent"))
_MIN_SCORE = 0.62
_ALL_CELLS, _NAMED, _TITLED = 0.65, 0.3, 0.08
_LONG, _MANY = 0.06, 15
_PARTLY = 0.97
_AS_GOOD = 0.05
_WORTH = 0.7
_LIGHT_TEXT = "net total provided used activity before after expense company attributable common payment"
_LIGHT = frozenset(_LIGHT_TEXT.split())
_STOP = frozenset(["and", "of", "the", "in", "by", "on", "from", "for", "to", "at", "a", "an", "or", "its"])
_WORD = re.compile(r"[^\W\d_]+")
_LIGHT_WEIGHT = 0.35
_SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_SCALED = re.compile(r"\b(thousand|million|billion)s?\b", re.I)
_FISCAL = re.compile(r"\bFY\s?\d{4}\b")
_STATED = re.compile(r"[\"'“‘](\w{1,20})[\"'”’] (?:for|if|when)\b")
_SYMBOL = re.compile(r"[$€£¥]|\b[A-Z]{3}\b")
_PARENTHESES = re.compile(r"\([^()]*\)")
_CLAUSE = re.compile(r"[:;(.]")
_ACCOUNTING = {
    "earning": "income", "sale": "revenue", "turnover": "revenue", "stockholder": "shareholder", "owner": "shareholder",
    "provision": "expense", "stock": "share", "eps": "income per share", "goods": "revenue", "sold": "revenue",
    "capex": "purchase property plant equipment", "acquisition": "purchase",
}  # fmt: skip
"""Words that mean the same in accounts, though not elsewhere."""

_OUTFLOWS = frozenset(["expense", "cost", "paid", "payment", "purchase", "repurchase", "capex", "dividend", "tax"])
"""What such lines say is spent; accounts print it in parentheses where it is subtracted."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Which columns of a list are the period, the value and the name of the line; the others follow from these."""

    period: int
    value: int
    name: int | None


class Lines:
    """The lines of all statements, and which list each names best: no other list uses it."""

    def __init__(self, groups: Sequence[Group], statements: Sequence[Statement]) -> None:
        self.statements = statements
        self._asked = {id(group): _phrases(group) for group in groups if roles_of(group) is not None}
        every = {phrase for phrases in self._asked.values() for phrase, _ in phrases}
        self._best = {
            id(line): max((_likeness([(phrase, 1.0)], line) for phrase in every), default=0.0)
            for statement in statements
            for line in statement.lines
        }
        self.year_ends = last_month(
            period
            for each in statements
            for at in range(len(each.periods))
            if (period := period_of(each.period(at))) is not None
        )

    def score(self, group: Group, line: Line) -> float:
        score = _likeness(self._asked[id(group)], line)
        return score if score >= self._best[id(line)] - _AS_GOOD else 0.0


def lines_of(groups: Sequence[Group], view: DocumentView) -> Lines:
    over_time = any(roles_of(group) is not None for group in groups)
    return Lines(groups, statements_in(view) if over_time else [])


def statement_listings(group: Group, lines: Lines) -> list[Listing]:
    roles = roles_of(group)
    if roles is None or not lines.statements:
        return []
    return _of_line(group, roles, lines) if roles.name is None else _of_all(group, roles, lines)


def roles_of(group: Group) -> Roles | None:
    """None for a list that is not about values over time."""
    if group.scalars:
        return None
    targets = [column.target for column in group.columns]
    periods = [at for at, each in enumerate(targets) if _PERIOD & set(each.words) and each.field.enum is None]
    values = [at for at, each in enumerate(targets) if _is_value(each) and at not in periods]
    if len(periods) != 1 or len(values) != 1:
        return None
    rest = [at for at, each in enumerate(targets) if at not in (periods[0], values[0]) and each.field.kind == "string"]
    names = [at for at in rest if _NAMING & set(targets[at].words) and targets[at].field.enum is None]
    if len(targets) == 3 and len(rest) == 1:
        names = rest
    fallback = [at for at in names if stated_default(targets[at]) is not None]
    return Roles(periods[0], values[0], next((at for at in names if at not in fallback), None))


def _is_value(target: Target) -> bool:
    return target.field.kind in ("number", "integer") and not _SCALE & set(target.words)


def stated_default(target: Target) -> str | None:
    """What the schema states for entries that say nothing: its default, or a quoted word of the description."""
    if isinstance(target.field.default, str):
        return target.field.default
    said = _STATED.search(target.field.description)
    return said[1] if said is not None and target.field.kind == "string" else None


def _of_line(group: Group, roles: Roles, lines: Lines) -> list[Listing]:
    """The periods of the line whose caption is the name of the list, in the statement whose title is above the list."""
    above = set(_words(" ".join((group.columns[0].target.field.group or ())[:-1]).replace("_", " ")))
    best: tuple[float, int, Statement, Line] | None = None
    for statement in lines.statements:
        bonus = _TITLED * len(above & _title(statement)) / max(len(above), 1)
        bonus += _LONG * min(1.0, len(statement.lines) / _MANY)
        for line in statement.lines:
            score = lines.score(group, line)
            key = score + bonus, len(line.numbers)
            if score >= _MIN_SCORE and (best is None or key > best[:2]):
                best = (*key, statement, line)
    if best is None:
        return []
    score, _, statement, line = best
    rows = list(_entries(group, roles, statement, line, lines.year_ends))
    why = f"line '{line.caption[:40]}' of a statement on page {statement.page.number}"
    return [Listing(rows, score * _WORTH, why, (id(line), group.columns[0].target.field.group))]


def _of_all(group: Group, roles: Roles, lines: Lines) -> list[Listing]:
    """Each number of a statement, with its caption and its period."""
    field = group.columns[0].target.field
    words = set(_words(" ".join((*group.words, *field.about[-1:]))))
    found = []
    for statement in lines.statements:
        rows = [row for line in statement.lines for row in _entries(group, roles, statement, line, lines.year_ends)]
        named = len(words & _title(statement)) / max(len(words), 1)
        why = f"in a statement on page {statement.page.number}"
        found.append(Listing(rows, _ALL_CELLS + _NAMED * named, why, ("statement", id(statement))))
    return found


def _title(statement: Statement) -> set[str]:
    return {word for row in statement.title for word in _words(row.text)}


def _entries(group: Group, roles: Roles, statement: Statement, line: Line, ends: int) -> Iterator[dict[int, Cell]]:
    where = [spot(piece.tokens, piece) for piece in line.pieces]
    spent = roles.name is None and not _OUTFLOWS.isdisjoint(_words(" ".join(group.words)))
    for number, piece in sorted(line.numbers.items()):
        text = piece.text.strip("(-) ") if spent else piece.text
        entry = {roles.value: Cell(text, [spot(piece.tokens, piece)])}
        text = _period_text(group.columns[roles.period].target, statement.period(number), ends)
        entry[roles.period] = Cell(text, [spot(each.tokens, each) for each in statement.periods[number]])
        if roles.name is not None:
            entry[roles.name] = Cell(line.caption, where)
        for at, column in enumerate(group.columns):
            if at not in entry and (cell := _derived(column.target, statement, line, piece)) is not None:
                entry[at] = cell
        yield entry


def _period_text(target: Target, heading: str, ends: int) -> str:
    period = period_of(heading)
    if period is not None and _FISCAL.search(target.field.description):
        return fiscal_label(period, ends)
    if period is not None and period.end is not None and target.field.format == "date":
        return period.end.isoformat()
    return heading


def _derived(target: Target, statement: Statement, line: Line, number: Piece) -> Cell | None:
    """The unit and scale of a number, or what the schema states for entries that say nothing else."""
    where = [spot(piece.tokens, piece) for piece in line.pieces]
    share = "%" in number.text or "%" in line.caption
    single = share or {"per", "share"} <= set(_words(f"{line.under} {line.caption}"))
    if _SCALE & set(target.words):
        for row in statement.title:
            if (said := _SCALED.search(row.text)) is not None:
                scale = 1 if single else _SCALES[said[1].lower()]
                return Cell(str(scale), [spot(piece.tokens, piece) for piece in row.pieces])
        return Cell("1", where) if single else None
    if _UNIT & set(target.words):
        if share:
            return Cell("%", where)
        for row in (*statement.title, *statement.page.rows):
            for symbol in _SYMBOL.findall(row.text):
                if (code := currency_of(symbol)) is not None:
                    return Cell(code, [spot(row.pieces[0].tokens, row.pieces[0])])
        return None
    stated = stated_default(target)
    return Cell(stated, where) if stated is not None else None


def _phrases(group: Group) -> list[tuple[Words, float]]:
    """What the line may be called: the name of the list, and how its description begins."""
    field = group.columns[0].target.field
    own = _words((field.group or ("",))[-1].replace("_", " "))
    told = [_words(_CLAUSE.split(text)[0]) for text in field.about]
    return [(own, 1.0), *((words, 1.0) for words in told if set(words) & set(own) and len(words) <= 2 * len(own) + 2)]


def _likeness(phrases: Sequence[tuple[Words, float]], line: Line) -> float:
    said = [(_words(_PARENTHESES.sub("", line.caption)), 1.0), (_words(line.caption.partition(",")[0]), _PARTLY)]
    if line.under:
        said.append((_words(_PARENTHESES.sub("", f"{line.under} {line.caption}")), _PARTLY))
    return max((_alike(phrase, words) * worth * part for phrase, worth in phrases for words, part in said), default=0.0)


@lru_cache(maxsize=8192)
def _words(text: str) -> Words:
    """The words of a caption, those of accounts in one form."""
    plain = [word for word in _WORD.findall(folded(text[:200])) if word not in _STOP]
    single = [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in plain]
    return tuple(dict.fromkeys(each for word in single for each in _ACCOUNTING.get(word, word).split()))


def _alike(phrase: Words, caption: Words) -> float:
    """Shared words in proportion to all of both."""
    both = 2 * sum(_weight(word) for word in phrase if word in caption)
    return both / ((sum(map(_weight, phrase)) + sum(map(_weight, caption))) or 1.0)


def _weight(word: str) -> float:
    return _LIGHT_WEIGHT if word in _LIGHT else 1.0
