"""Prints extracted values, colored by confidence and optionally with their position on the page."""

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from docsieve.cli.console.tables import cell, console, share
from docsieve.cli.extract.outcomes import (
    FAILED,
    FINE,
    NEEDS_REVIEW,
    FileOutcome,
    Found,
    found_leaves,
)
from docsieve.cli.submit.remedies import explained
from docsieve.domain.extraction import LeafMetadata
from docsieve.domain.schemas.fields import Schema
from docsieve.tables.cells import at, item_cells
from docsieve.tables.columns import Columns

_MAX_COLUMNS = 8
_MAX_ROWS = 50
_STATUS_STYLES = {FINE: "green", NEEDS_REVIEW: "yellow", FAILED: "red"}


def show_outcomes(outcomes: Sequence[FileOutcome], schema: Schema, *, threshold: float, evidence: bool) -> None:
    """Several documents are shown as one table, unless they have too many fields; otherwise each has its own block."""
    columns = Columns.of([schema])
    if len(outcomes) > 1 and not evidence and len(columns.single) + len(columns.lists) <= _MAX_COLUMNS:
        _show_rows(outcomes, columns, threshold)
        return
    for outcome in outcomes:
        _show_block(outcome, columns, threshold, evidence=evidence)


def _show_rows(outcomes: Sequence[FileOutcome], columns: Columns, threshold: float) -> None:
    table = _table("file", "status", *(field.pattern for field in columns.single), *columns.lists)
    for outcome in outcomes:
        if outcome.result is None:
            table.add_row(cell(outcome.file), _status(outcome), cell(explained(outcome.code, outcome.reason)))
            continue
        value, metadata = outcome.result.value, outcome.result.metadata
        single = [
            _value(at(value, field.pattern), metadata.get(field.pattern), _threshold(field.threshold, threshold))
            for field in columns.single
        ]
        lists = [Text(f"{len(at(value, name) or ())} rows", style="dim") for name in columns.lists]
        table.add_row(cell(outcome.file), _status(outcome), *single, *lists)
    console().print(table)


def _show_block(outcome: FileOutcome, columns: Columns, threshold: float, *, evidence: bool) -> None:
    said = Text.assemble(cell(outcome.file), "  ", _status(outcome), style="bold")
    console().print(said)
    if outcome.result is None:
        console().print(cell(explained(outcome.code, outcome.reason)))
    elif evidence:
        _show_evidence(outcome, threshold)
    else:
        _show_values(outcome.result.value, outcome.result.metadata, columns, threshold)
    console().print()


def _show_values(value: Any, metadata: dict[str, LeafMetadata], columns: Columns, threshold: float) -> None:
    table = _table("field", "value", "confidence", "reason for review")
    for field in columns.single:
        known = metadata.get(field.pattern)
        shown = _value(at(value, field.pattern), known, _threshold(field.threshold, threshold))
        table.add_row(field.pattern, shown, _confidence(at(value, field.pattern), known), _reason(known))
    if columns.single:
        console().print(table)
    for name in columns.lists:
        items = at(value, name) or []
        inner = [each.name for each in columns.of_items(name)]
        rows = _table(name, *inner)
        for number, item in enumerate(items[:_MAX_ROWS]):
            paths = [f"{name}[{number}]" if column == "value" else f"{name}[{number}].{column}" for column in inner]
            cells = item_cells(item, inner)
            pairs = zip(cells, paths, strict=True)
            rows.add_row(str(number + 1), *(_value(each, metadata.get(path), threshold) for each, path in pairs))
        console().print(rows)
        if len(items) > _MAX_ROWS:
            console().print(Text(f"… and {len(items) - _MAX_ROWS} more rows", style="dim"))


def _show_evidence(outcome: FileOutcome, threshold: float) -> None:
    assert outcome.result is not None
    table = _table("field", "value", "confidence", "page", "box", "text on the page")
    for found in found_leaves(outcome.result):
        table.add_row(*_evidence_cells(found, threshold))
    console().print(table)


def _evidence_cells(found: Found, threshold: float) -> list[Text]:
    known = found.metadata
    proof = known.evidence if known is not None else []
    shown = [cell(found.path), _value(found.value, known, threshold), _confidence(found.value, known)]
    if not proof:
        return [*shown, cell(None), cell(None), cell(None if found.value is None else "not found on a page")]
    place = ", ".join(f"{side:.0f}" for side in proof[0].box)
    return [*shown, cell(proof[0].page), cell(place), cell(" … ".join(each.text for each in proof))]


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        table.add_column(cell(column), overflow="fold", no_wrap=column in ("confidence", "page", "status"))
    return table


def _value(value: Any, known: LeafMetadata | None, threshold: float) -> Text:
    """Green; yellow if it needs review; red far below the threshold. Ungrounded values have a question mark."""
    if value is None and known is not None and known.needs_review:
        return Text("not found", style="yellow")
    text = cell(value)
    if value is None or known is None:
        return text
    text.stylize("green" if not known.needs_review else "yellow" if known.confidence >= threshold / 2 else "red")
    if not known.grounded:
        text.append(" ?", style="red")
    return text


def _confidence(value: Any, known: LeafMetadata | None) -> Text:
    told = known is not None and (value is not None or known.needs_review)
    return cell(share(known.confidence) if known is not None and told else None)


def _reason(known: LeafMetadata | None) -> Text:
    """Why a field needs review: its first failed check, else its gravest doubt."""
    if known is None or not known.needs_review:
        return Text()
    failed = [check.message or f"The check {check.name} failed." for check in known.checks if not check.passed]
    return cell(next(iter([*failed, *(doubt.message for doubt in known.doubts)]), None))


def _threshold(own: float | None, general: float) -> float:
    return own if own is not None else general


def _status(outcome: FileOutcome) -> Text:
    return Text(outcome.status, style=_STATUS_STYLES[outcome.status])
