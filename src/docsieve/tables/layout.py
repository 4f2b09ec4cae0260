"""How records become rows: one table with a row per record, and one per list if lists are kept apart."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from docsieve.domain.schemas.fields import Scalar, Schema
from docsieve.tables.cells import UNPROVEN, Proof, as_cell, inside, json_text, of_item
from docsieve.tables.columns import Column, Columns, distinct, kind_of

Lists = Literal["json", "sheets"]
"""A list is either JSON in a cell of its record, or a table with one row per item."""

PROOF = (Column("confidence", "share"), Column("page", "integer"), Column("box"), Column("text"))
Row = list[Scalar]


class Record(NamedTuple):
    """One row: the cells that describe it, its value, and by path the proofs of its fields."""

    about: Row
    value: Any
    proofs: Mapping[str, Proof] = MappingProxyType({})


class MainTable:
    """A row per record."""

    def __init__(self, about: Sequence[Column], fields: Columns, *, lists: Lists, evidence: bool) -> None:
        single = fields.single
        named = {each.pattern for each in single}
        self._runs = [
            (parents, [path[-1] for path in paths])
            for parents, paths in groupby((each.path for each in single), key=lambda path: path[:-1])
        ]
        # A name that is a list in one schema and a single field in another has one column.
        listed = [name for name in fields.lists if name not in named] if lists == "json" else []
        self._lists = [tuple(name.split(".")) for name in listed]
        self._proven = [each.pattern for each in single] if evidence else []
        self.columns = distinct(
            [
                *about,
                *(Column(each.pattern, kind_of(each)) for each in single),
                *(Column(name, "json") for name in listed),
                *(Column(f"{path}.{each.name}", each.kind) for path in self._proven for each in PROOF),
            ]
        )

    def rows(self, records: Iterable[Record]) -> list[Row]:
        return [self._row(each) for each in records]

    def _row(self, record: Record) -> Row:
        row = list(record.about)
        for parents, names in self._runs:
            part = inside(record.value, parents)
            if type(part) is dict:
                row += [
                    None if (each := part.get(name)) is None or type(each) is dict
                    else each if type(each) is not list else json_text(each)
                    for name in names
                ]  # fmt: skip
            else:
                row += [None] * len(names)
        for path in self._lists:
            items = inside(record.value, path)
            row.append(json_text(items) if isinstance(items, list) else None)
        for pattern in self._proven:
            row += record.proofs.get(pattern, UNPROVEN).cells()
        return row


class ListTable:
    """A row per item of a list, with the first cells of its record and the item's number."""

    def __init__(self, name: str, keys: Sequence[Column], fields: Columns, *, evidence: bool) -> None:
        self.name = name
        self._path = name.split(".")
        self._keys = len(keys)
        items = fields.of_items(name)
        self._items = [each.name.split(".") for each in items]
        self._proven = [each.name for each in items if each.kind != "json"] if evidence else []
        proofs = [Column(f"{path}.{each.name}", each.kind) for path in self._proven for each in PROOF]
        self.columns = distinct([*keys, Column("row", "integer"), *items, *proofs])

    def rows(self, records: Iterable[Record]) -> list[Row]:
        return [row for each in records for row in self._rows(each)]

    def _rows(self, record: Record) -> Iterable[Row]:
        items = inside(record.value, self._path)
        if not isinstance(items, list):
            return
        for index, item in enumerate(items):
            row = [
                *record.about[: self._keys],
                index + 1,
                *(as_cell(of_item(item, path)) for path in self._items),
            ]
            for name in self._proven:
                path = f"{self.name}[{index}].{name}" if type(item) is dict else f"{self.name}[{index}]"
                row += record.proofs.get(path, UNPROVEN).cells()
            yield row


Table = MainTable | ListTable


@dataclass(frozen=True, slots=True)
class Layout:
    main: MainTable
    lists: list[ListTable]

    @classmethod
    def of(
        cls, schemas: Iterable[Schema], *, about: Sequence[Column], keys: int, lists: Lists, evidence: bool
    ) -> "Layout":
        """`keys` is how many of the first columns a list's rows repeat, to name their record."""
        fields = Columns.of(schemas)
        main = MainTable(about, fields, lists=lists, evidence=evidence)
        apart = fields.lists if lists == "sheets" else ()
        return cls(main, [ListTable(name, about[:keys], fields, evidence=evidence) for name in apart])
