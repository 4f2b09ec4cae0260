"""Scores of what a reader says about a document whose truth is known."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeVar

from benchmarks.layout.sheet import Place, Rows, Sheet

Node = TypeVar("Node")

_EDGES = re.compile(r"^[^\w]+|[^\w]+$")


@dataclass
class Said:
    """What a reader makes of a document: lines in its order, and tables as rows of texts."""

    lines: list[str] = field(default_factory=list)
    tables: list[Rows] = field(default_factory=list)


@dataclass
class Score:
    """`order` is 0 for the true order and 1 for another one altogether; `table` is 1 for the true tables."""

    order: float
    lines: int
    joined: int
    table: float | None


def score(sheets: Sequence[Sheet], said: Said) -> Score:
    truth = [line for sheet in sheets for line in sheet.lines]
    of_word = _lines_of_words([line.text for line in truth])
    visited: list[int] = []
    joined = 0
    for text in said.lines:
        found = [of_word[word] for word in _words(text) if word in of_word]
        for at in found:
            if not visited or visited[-1] != at:
                visited.append(at)
        places: set[tuple[int, Place]] = {(_sheet_of(sheets, at), truth[at].place) for at in found}
        joined += len(places) > 1
    expected = [at for at in range(len(truth)) if any(word in of_word for word in _words(truth[at].text))]
    distance = edit_distance(visited, expected) / max(len(visited), len(expected), 1)
    return Score(distance, len(said.lines), joined, _table_score(sheets, said))


def _lines_of_words(texts: Sequence[str]) -> dict[str, int]:
    """The line of each word that only one line has."""
    found: dict[str, int | None] = {}
    for at, text in enumerate(texts):
        for word in _words(text):
            found[word] = at if found.get(word, at) == at else None
    return {word: at for word, at in found.items() if at is not None}


def _words(text: str) -> list[str]:
    words = (_EDGES.sub("", word) for word in unicodedata.normalize("NFKC", text).lower().split())
    return [word for word in words if len(word) >= 3]


def _sheet_of(sheets: Sequence[Sheet], at: int) -> int:
    for number, sheet in enumerate(sheets):
        at -= len(sheet.lines)
        if at < 0:
            return number
    raise ValueError("no such line")


def edit_distance(one: Sequence[object], other: Sequence[object]) -> int:
    row = list(range(len(other) + 1))
    for at, left in enumerate(one, start=1):
        before, row[0] = row[0], at
        for place, right in enumerate(other, start=1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (left != right))
    return row[-1]


def _table_score(sheets: Sequence[Sheet], said: Said) -> float | None:
    """The similarity of the true tables to the most similar ones; further tables lower it."""
    wanted = [table for sheet in sheets for table in sheet.tables]
    if not wanted:
        return None
    left = list(said.tables)
    total = 0.0
    for table in wanted:
        best = max(left, key=lambda other: tree_similarity(table, other), default=None)
        if best is not None:
            total += tree_similarity(table, best)
            left.remove(best)
    return total / max(len(wanted), len(said.tables))


def tree_similarity(one: Rows, other: Rows) -> float:
    """TEDS of tables without spans: 1 minus the edits between two trees of rows and cells over the larger's nodes.

    A changed cell costs the share of its characters that differ, as in TEDS; rows are compared with rows, and cells
    with cells.
    """
    sizes = [1 + sum(1 + len(row) for row in table) for table in (one, other)]
    return 1.0 - _aligned(one, other, lambda row: 1.0 + len(row), _changed_row) / max(sizes)


def _changed_row(one: Sequence[str], other: Sequence[str]) -> float:
    return _aligned(one, other, lambda _: 1.0, _changed)


def _changed(one: str, other: str) -> float:
    one, other = " ".join(one.split()), " ".join(other.split())
    return edit_distance(one, other) / max(len(one), len(other), 1) if one != other else 0.0


def _aligned(
    one: Sequence[Node], other: Sequence[Node], cost: Callable[[Node], float], change: Callable[[Node, Node], float]
) -> float:
    row = list(accumulate(map(cost, other), initial=0.0))
    for left in one:
        before, row[0] = row[0], row[0] + cost(left)
        for place, right in enumerate(other, start=1):
            kept = before + change(left, right)
            before, row[place] = row[place], min(row[place] + cost(left), row[place - 1] + cost(right), kept)
    return row[-1]
