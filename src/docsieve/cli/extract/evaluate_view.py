"""Output of `docsieve eval`: results per field, totals, and the comparison with the baseline."""

from rich.text import Text

from docsieve.cli.console.tables import cell, console, show_fields, show_table
from docsieve.evaluation.errors import count_errors
from docsieve.evaluation.figures import Count, not_on_page
from docsieve.evaluation.runs import Comparison, Run

_MAX_FIELDS = 60
_MAX_FILES = 5


def show_run(run: Run) -> None:
    """A few columns; the report and the JSON have the rest."""
    counts = list(run.by_field.items())
    rows = [_row(name, each) for name, each in counts[:_MAX_FIELDS]]
    show_table(["field", "F1", "precision", "recall", "wanted", "given", "right"], [*rows, _row("all", run.total)])
    if len(counts) > _MAX_FIELDS:
        console().print(Text(f"{len(counts) - _MAX_FIELDS} more fields are included in the total", style="dim"))
    if len(run.by_kind) > 1:
        _show_kinds(run)
    figures, total, sure = run.figures(), run.total, run.calibration
    boxes = f", IoU ≥ 0.5 for {ratio(total.grounding)} of {total.placed}" if total.placed else ""
    show_fields(
        {
            "documents": f"{len(run.documents)}, {run.failed} failed, {figures['needs_review']} to review",
            "single fields": f"F1 {ratio(run.header.f1)}",
            "rows of lists": _rows(run),
            "to the letter": f"F1 {ratio(total.exact_f1)}",
            "evidence": f"{ratio(total.evidence) or 'none'} of the right values{boxes}",
            "errors": _errors(run),
            "calibration error": ratio(sure.error),
            f"at {run.threshold:g} and above": f"{sure.sure} values, {ratio(sure.precision) or 'none'} of them right",
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


def _show_kinds(run: Run) -> None:
    columns = [
        "kind of document",
        "documents",
        "F1",
        "calibration error",
        f"values ≥ {run.threshold:g}",
        "right of them",
    ]
    rows = [
        (
            name,
            each.documents,
            ratio(each.total.f1),
            ratio(each.calibration.error),
            each.calibration.sure,
            ratio(each.calibration.precision),
        )
        for name, each in list(run.by_kind.items())[:_MAX_FIELDS]
    ]
    show_table(columns, rows)


def _rows(run: Run) -> str | None:
    if not (run.rows.wanted or run.rows.given):
        return None
    kinds = ", ".join(f"{name} {ratio(each.f1)} of {each.wanted}" for name, each in run.rows_by_kind.items())
    return f"F1 {ratio(run.rows.f1)}; by kind of table: {kinds}"


def _errors(run: Run) -> str:
    counts = ", ".join(f"{number} {kind}" for kind, number in count_errors(run.leaves).items() if number)
    absent = not_on_page(run.leaves)
    values = "true value is" if absent == 1 else "true values are"
    return (counts or "none") + (f"; {absent} {values} on no page" if absent else "")


def _row(name: str, each: Count) -> tuple[object, ...]:
    precision = ratio(each.precision) if each.given else None
    recall = ratio(each.recall) if each.wanted else None
    return (name, ratio(each.f1), precision, recall, each.wanted, each.given, each.right)
