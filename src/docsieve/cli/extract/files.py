"""Output files of `docsieve extract`: JSON, CSV or XLSX, written atomically."""

import csv
import io
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docsieve.cli.extract.outcomes import Columns, FileOutcome, as_cell, as_json, at, found_leaves, item_cells
from docsieve.domain.schemas.fields import Schema
from docsieve.errors import Invalid

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MAX_CELL_LENGTH = 32_767
_MAX_SHEET_NAME_LENGTH = 31
_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\']")
_ABOUT = ("file", "status", "confidence", "error")
_PROOF = ("confidence", "grounded", "page", "box", "text")


def json_text(outcomes: Sequence[FileOutcome], *, evidence: bool) -> str:
    return json.dumps([as_json(each, evidence=evidence) for each in outcomes], ensure_ascii=False, indent=2) + "\n"


def csv_text(outcomes: Sequence[FileOutcome], schema: Schema, *, evidence: bool) -> str:
    """One row per document. A list is written as JSON in its cell."""
    columns = Columns.of(schema)
    single = [field.pattern for field in columns.single]
    proofs = [f"{name}.{what}" for name in single for what in _PROOF] if evidence else []
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(map(harmless, (*_ABOUT, *single, *columns.lists, *proofs)))
    for outcome in outcomes:
        value = outcome.result.value if outcome.result is not None else None
        cells = [as_cell(at(value, name)) for name in (*single, *columns.lists)]
        proven = [each for name in single for each in _proof(outcome, name)] if evidence else []
        writer.writerow(map(harmless, (*_about(outcome), *cells, *proven)))
    return file.getvalue()


def workbook(outcomes: Sequence[FileOutcome], schema: Schema, *, evidence: bool) -> bytes:
    """A sheet of documents, one sheet per list with the rows of all documents, and optionally one of evidence."""
    from xlsxwriter import Workbook  # type: ignore[import-untyped]

    columns = Columns.of(schema)
    single = [field.pattern for field in columns.single]
    file = io.BytesIO()
    plain = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with Workbook(file, plain) as book:
        sheets = _Sheets(book)
        values = [(each, each.result.value if each.result is not None else None) for each in outcomes]
        rows = [[*_about(each), *(as_cell(at(value, name)) for name in single)] for each, value in values]
        sheets.add("documents", [*_ABOUT, *single], rows)
        for name in columns.lists:
            inner = columns.of_items(name)
            rows = [
                [each.file, number, *item_cells(item, inner)]
                for each, value in values
                for number, item in enumerate(at(value, name) or (), 1)
            ]
            sheets.add(name, ["file", "row", *inner], rows)
        if evidence:
            sheets.add("evidence", ["file", "field", "value", *_PROOF], _evidence_rows(outcomes))
    return file.getvalue()


def write_whole(path: Path, content: bytes) -> None:
    """The file gets its name only when it is complete."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Invalid(f"{path} cannot be written: {error.strerror}.") from error


def harmless(value: Any) -> Any:
    """Prefixes text that a spreadsheet would treat as a formula with an apostrophe. Numbers stay numbers."""
    if isinstance(value, str) and value.lstrip(" \n").startswith(_FORMULA):
        return f"'{value}"
    return value


class _Sheets:
    def __init__(self, book: Any) -> None:
        self._book = book
        self._heading = book.add_format({"bold": True})
        self._names: set[str] = set()

    def add(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        sheet = self._book.add_worksheet(self._free_name(name))
        sheet.freeze_panes(1, 1)
        for column, title in enumerate(columns):
            sheet.write_string(0, column, title[:_MAX_CELL_LENGTH], self._heading)
        for number, row in enumerate(rows, 1):
            for column, value in enumerate(row):
                _write_cell(sheet, number, column, value)
        sheet.autofit()

    def _free_name(self, name: str) -> str:
        base = _NOT_IN_SHEET_NAMES.sub("_", name)[:_MAX_SHEET_NAME_LENGTH] or "list"
        number, free = 1, base
        while free.casefold() in self._names:
            number += 1
            free = f"{base[: _MAX_SHEET_NAME_LENGTH - 4]} {number}"
        self._names.add(free.casefold())
        return free


def _write_cell(sheet: Any, row: int, column: int, value: Any) -> None:
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, column, value)
    elif value is not None:
        sheet.write_string(row, column, str(value)[:_MAX_CELL_LENGTH])


def _about(outcome: FileOutcome) -> list[Any]:
    failure = f"{outcome.code}: {outcome.reason}" if outcome.code is not None else None
    return [outcome.file, outcome.status, outcome.confidence, failure]


def _proof(outcome: FileOutcome, path: str) -> list[Any]:
    known = outcome.result.metadata.get(path) if outcome.result is not None else None
    if known is None:
        return [None] * len(_PROOF)
    if not known.evidence:
        return [known.confidence, known.grounded, None, None, None]
    first = known.evidence[0]
    text = " ".join(each.text for each in known.evidence)
    return [known.confidence, known.grounded, first.page, " ".join(f"{side:.1f}" for side in first.box), text]


def _evidence_rows(outcomes: Sequence[FileOutcome]) -> list[list[Any]]:
    return [
        [outcome.file, found.path, found.value, *_proof(outcome, found.path)]
        for outcome in outcomes
        if outcome.result is not None
        for found in found_leaves(outcome.result)
        if found.value is not None
    ]
