"""Chooses the wording of one document and fills it with facts: from a kind's layout to blocks that can be drawn.

Wherever a kind gives a list of wordings, the last one is printed in the kept set only. A name that ends in `?` is left
out of some documents, so that its field is null in the truth.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from evaluations.generated.facts import WORDS, Fact, Writer
from evaluations.generated.marks import marked, plain

_OPTIONAL, _KEPT_WORDING = 0.7, 0.6
_BULLETS = ("• ", "– ", "")
_NUMBERS = {"de": ("§ {} ", "{}. "), "fr": ("Article {} – ", "{}. "), "es": ("{}. ", "Cláusula {}. ")}


@dataclass(frozen=True, slots=True)
class Text:
    """`size` is added to that of the page."""

    text: str
    bold: bool = False
    size: float = 0.0
    align: str = "left"
    indent: float = 0.0
    space: float = 4.0


@dataclass(frozen=True, slots=True)
class Pairs:
    """`style` is colon, aligned, boxed, stacked, sums, or item for the numbered entries of a form."""

    pairs: Sequence[tuple[str, str]]
    style: str


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows of boxes, each with its label, value and share of the width."""

    rows: Sequence[Sequence[tuple[str, str, float]]]


@dataclass(frozen=True, slots=True)
class Table:
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    shares: Sequence[float]
    right: Sequence[bool]


@dataclass(frozen=True, slots=True)
class Columns:
    columns: Sequence[Sequence["Block"]]
    shares: Sequence[float]


@dataclass(frozen=True, slots=True)
class Stamp:
    text: str


Block = Text | Pairs | Cells | Table | Columns | Stamp
FactKey = tuple[str, int, str]
"""The name of its rows and the number of the row, or an empty name and 0; and the name of the fact."""


class Draft:
    """One document in the making: `shown` and `shown_rows` name the facts that are printed.

    `marks` numbers the facts; the texts of the blocks are marked with these numbers.
    """

    def __init__(self, rng: Random, kind: Mapping[str, Any], language: str, *, kept: bool) -> None:
        self.rng = rng
        self.kind = kind
        self.language = language
        self.kept = kept
        self.shown: set[str] = set()
        self.shown_rows: dict[str, set[str]] = {}
        self.marks: dict[FactKey, int] = {}
        self._chosen: dict[tuple[str, str], str] = {}
        self._clause = self._item = 0
        self._left_out: dict[str, bool] = {}
        writer = Writer(rng, language)
        self.facts = writer.facts(kind["facts"])
        self.rows = {name: self._drawn_rows(writer, wanted) for name, wanted in kind.get("rows", {}).items()}
        for name, wanted in kind.get("after", {}).items():
            self.facts |= writer.facts(wanted, {**self.facts, **self.rows[name][-1]})
        self.pair_style = rng.choice(("colon", "aligned", "boxed"))
        self.numbering = rng.choice(
            _NUMBERS.get(language, ("{}. ", "{}. ", "Section {}. " if language == "en" else "{}. "))
        )
        self.bullet = rng.choice(_BULLETS)

    def _drawn_rows(self, writer: Writer, wanted: Mapping[str, Any]) -> list[dict[str, Fact]]:
        """No two rows share the fact that the kind calls `unique`. `carry` hands a fact of one row to the next, and
        `first` has facts of the first row that differ."""
        rows: list[dict[str, Fact]] = []
        known = dict(self.facts)
        count = self.rng.randint(*wanted["count"])
        for _ in range(40 * count):
            if len(rows) == count:
                break
            row = writer.facts(wanted["facts"] | ({} if rows else wanted.get("first", {})), known)
            if "unique" in wanted and row[wanted["unique"]].printed in {
                each[wanted["unique"]].printed for each in rows
            }:
                continue
            rows.append(row)
            known |= {name: row[fact] for name, fact in wanted.get("carry", {}).items()}
        return rows

    def wording(self, key: str, table: str = "texts") -> str:
        """The same throughout the document."""
        if (table, key) not in self._chosen:
            entry = self.kind[table][key]
            entry = entry[self.language] if isinstance(entry, dict) else entry
            self._chosen[table, key] = self._choice(entry)
        return self._chosen[table, key]

    def _choice(self, entry: str | Sequence[str]) -> str:
        if isinstance(entry, str):
            return entry
        *shared, own = entry
        return own if not shared or (self.kept and self.rng.random() < _KEPT_WORDING) else self.rng.choice(shared)

    def wanted(self, names: Sequence[str]) -> list[str]:
        """The names without those that this document leaves out."""
        return [name.rstrip("?") for name in names if not (name.endswith("?") and self._is_left_out(name))]

    def _is_left_out(self, name: str) -> bool:
        return self._left_out.setdefault(name, self.rng.random() > _OPTIONAL)

    def filled(self, text: str, row: Mapping[str, Fact] | None = None, rows: str = "") -> str:
        def printed(found: re.Match[str]) -> str:
            name, form = found[1], found[2]
            if row is not None and name in row:
                self.shown_rows.setdefault(rows, set()).add(name)
                fact = row[name]
                key = (rows, next(at for at, each in enumerate(self.rows[rows]) if each is row), name)
            else:
                self.shown.add(name)
                fact, key = self.facts[name], ("", 0, name)
            number = self.marks.setdefault(key, len(self.marks))
            return marked(fact.forms[form] if form else fact.printed, number)

        return re.sub(r"\{(\w+)(?:\.(\w+))?\}", printed, text)

    def text(self, key: str) -> str:
        return self.filled(self.wording(key))

    def value(self, name: str) -> str:
        """What is printed next to the label of `name`: its entry in `values` if the kind has one, or else the fact."""
        return self.filled(self.wording(name, "values") if name in self.kind.get("values", {}) else f"{{{name}}}")

    def label(self, name: str) -> str:
        return self.filled(self.wording(name, "labels"))

    def blocks(self, layout: Sequence[Mapping[str, Any]]) -> list[Block]:
        found: list[Block] = []
        for block in layout:
            sort = next(iter(block))
            found += getattr(self, f"_{sort}")(block[sort], block)
        return found

    def _title(self, key: str, block: Mapping[str, Any]) -> list[Block]:
        return [Text(self.text(key), bold=True, size=5, align=block.get("align", "left"), space=10)]

    def _heading(self, key: str, _: Mapping[str, Any]) -> list[Block]:
        return [Text("", space=2), Text(self.text(key), bold=True, size=1)]

    def _text(self, key: str, block: Mapping[str, Any]) -> list[Block]:
        size, align = block.get("size", 0.0), block.get("align", "left")
        return [Text(self.text(name), "bold" in block, size, align, space=6) for name in self.wanted([key])]

    def _clauses(self, keys: Sequence[str], block: Mapping[str, Any]) -> list[Block]:
        """Numbered clauses, with `filler` general ones among and after them."""
        bodies = [self.text(key) for key in self.wanted(keys)]
        general = self.rng.sample(WORDS[self.language]["clauses"], block.get("filler", 0))
        for clause in general[: len(general) // 2]:
            bodies.insert(self.rng.randint(0, len(bodies)), clause)
        bodies += general[len(general) // 2 :]
        found: list[Block] = []
        for body in bodies:
            self._clause += 1
            heading, _, text = body.rpartition(" | ")
            if block.get("headings", True):
                found += [Text(self.numbering.format(self._clause) + heading, bold=True, space=2), Text(text, space=7)]
            else:
                found.append(Text(f"{self._clause}. {heading}. {text}", space=7))
        return found

    def _pairs(self, names: Sequence[str], block: Mapping[str, Any]) -> list[Block]:
        pairs = [(self.label(name), self.value(name)) for name in self.wanted(names)]
        return [Pairs(pairs, block.get("style", self.pair_style))]

    def _items(self, names: Sequence[str], block: Mapping[str, Any]) -> list[Block]:
        pairs = []
        for name in self.wanted(names):
            self._item += 1
            pairs.append((f"{self._item}. {self.label(name)}", self.value(name)))
        return [Pairs(pairs, block.get("style", "item"))]

    def _cells(self, rows: Sequence[Sequence[str]], _: Mapping[str, Any]) -> list[Block]:
        """Rows of `name`, or of `name*3` for a box three times as wide. A box that is left out stays empty."""
        made = []
        for row in rows:
            cells = []
            for cell in row:
                name, *shares = cell.split("*")
                label = self.label(name.rstrip("?"))
                value = self.value(name.rstrip("?")) if self.wanted([name]) else ""
                cells.append((label, value, float(shares[0]) if shares else 1.0))
            made.append(cells)
        return [Cells(made)]

    def _table(self, rows: str, block: Mapping[str, Any]) -> list[Block]:
        """`columns` are `name*share`, with `>` in front where they are aligned to the right."""
        specs = [spec.lstrip(">").partition("*") for spec in block["columns"]]
        names = [name for name, *_ in specs]
        return [
            Table(
                [self.label(f"{rows}.{name}") for name in names],
                [[self.filled(f"{{{name}}}", row, rows) for name in names] for row in self.rows[rows]],
                [float(share or 1) for *_, share in specs],
                [spec.startswith(">") for spec in block["columns"]],
            )
        ]

    def _list(self, rows: str, block: Mapping[str, Any]) -> list[Block]:
        """Each row by the text `entry`; its lines before ` | ` are bold. `mark` is number, none or a bullet."""
        if not self.wanted([rows]):
            return []
        rows = rows.rstrip("?")
        entry, found = self.wording(block["entry"]), []
        if "joined" in block:
            return [Text(block["joined"].join(self.filled(entry, row, rows) for row in self.rows[rows]), space=6)]
        for at, row in enumerate(self.rows[rows], 1):
            head, _, body = entry.rpartition(" | ")
            mark = {"number": f"{at}. ", "none": ""}.get(block.get("mark", ""), "" if head else self.bullet)
            if head:
                found.append(Text(self.filled(head, row, rows), bold=True, space=1))
            found.append(Text(mark + self.filled(body, row, rows), space=5 if head else 2))
        return [*found, Text("", space=6)]

    def _columns(self, columns: Sequence[Sequence[Mapping[str, Any]]], block: Mapping[str, Any]) -> list[Block]:
        return [Columns([self.blocks(each) for each in columns], block.get("shares", [1.0] * len(columns)))]

    def _stamp(self, key: str, _: Mapping[str, Any]) -> list[Block]:
        return [Stamp(plain(self.text(name))) for name in self.wanted([key])]

    def _space(self, height: float, _: Mapping[str, Any]) -> list[Block]:
        return [Text("", space=height)]
