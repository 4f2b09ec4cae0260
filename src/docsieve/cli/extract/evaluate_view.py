"""Output of `docsieve eval`: results per field, totals, and the comparison with the baseline."""

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from docsieve.cli.console.tables import cell, console, show_fields, show_table
from docsieve.evaluation.figures import Count, calibration_error
from docsieve.evaluation.runs import Comparison, Run

_MAX_FIELDS = 60
_MAX_FILES = 5


def show_run(run: Run) -> None:
    counts = list(run.by_field.items())
    rows = [_row(name, each) for name, each in counts[:_MAX_FIELDS]]
    columns = ["field", "F1", "precision", "recall", "exact", "evidence", "overlap", "wanted", "given", "right"]
    show_table(columns, [*rows, _row("all", run.total)])
    if len(counts) > _MAX_FIELDS:
        console().print(Text(f"{len(counts) - _MAX_FIELDS} more fields are included in the total", style="dim"))
    figures = run.figures()
    precision, share = figures["precision_at_threshold"], figures["share_at_threshold"]
    show_fields(
        {
            "documents": f"{len(run.documents)}, {run.failed} failed, {figures['needs_review']} to review",
            "single fields": f"F1 {ratio(run.header.f1)}",
            "rows of lists": f"F1 {ratio(run.rows.f1)}" if run.rows.wanted or run.rows.given else None,
            "calibration error": ratio(calibration_error(run.bins)),
            f"at {run.threshold:g} and above": f"precision {ratio(precision)}, {ratio(share)} of the values",
            "not found": _unfound(figures) if any(leaf.on_page for leaf in run.leaves) else None,
            "not in the schema": run.not_asked or None,
            "cost": f"{figures['cost']:.4f} US dollars",
            "time": f"{run.seconds:.1f} s, including {figures['reading_seconds']:.1f} s of reading in all processes",
        }
    )
    for document in run.documents:
        if document.error is not None:
            console().print(cell(f"{document.file}: {document.error}"), style="red")


def show_comparison(compared: Comparison) -> None:
    changes = [compared.total, *(each for each in compared.fields if each.by)]
    show_table(
        ["since the baseline", "before", "now", "change"],
        [(each.field or "all", ratio(each.before), ratio(each.now), f"{each.by:+.3f}") for each in changes],
    )
    for title, files in (("worse", compared.worse), ("better", compared.better)):
        if files:
            more = f" and {len(files) - _MAX_FILES} more" if len(files) > _MAX_FILES else ""
            console().print(cell(f"{title}: {', '.join(files[:_MAX_FILES])}{more}"))


def ratio(value: float | None) -> str | None:
    return None if value is None else f"{value:.3f}"


def _unfound(figures: Mapping[str, Any]) -> str:
    nearly, absent = figures["nearly_on_page"], figures["not_on_page"]
    return f"{figures['not_found']}, of which {nearly} are spelled differently on the pages and {absent} do not appear"


def _row(name: str, each: Count) -> tuple[object, ...]:
    ratios = map(ratio, (each.f1, each.precision, each.recall, each.exact_f1, each.evidence, each.overlap))
    return (name, *ratios, each.wanted, each.given, each.right)
