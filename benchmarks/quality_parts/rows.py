"""The rows of the tables that `make eval` prints and writes, and which columns each table has."""

from benchmarks.report import Row
from docsieve.evaluation.calibration import Calibration
from docsieve.evaluation.runs import Run
from docsieve.evaluation.scores import ErrorKind

RECALL = "candidate recall"
SURE_ERROR, SURE_PRECISION, SURE_VALUES = "calibration error", "right at ≥ 0.7", "values at ≥ 0.7"
GROUNDING = "IoU ≥ 0.5"

CALIBRATED = (SURE_ERROR, SURE_PRECISION, SURE_VALUES)
PRINTED = (
    "documents", "F1", "precision", "recall", "single fields", "rows", *CALIBRATED, RECALL, "seconds",
)  # fmt: skip
QUALITY = (
    "documents", "F1", "precision", "recall", "single fields", "rows", "to the letter", "evidence", GROUNDING, RECALL,
    *CALIBRATED,
)  # fmt: skip
ERRORS = (*(kind.value for kind in ErrorKind), "on no page")


def row(name: str, run: Run, recall: float | None = None) -> Row:
    total, figures, sure = run.total, run.figures(), run.calibration
    measured = {
        "documents": len(run.documents),
        "F1": total.f1,
        "precision": total.precision,
        "recall": total.recall,
        "single fields": run.header.f1 if run.header.wanted else None,
        "rows": run.rows.f1 if run.rows.wanted else None,
        "to the letter": total.exact_f1,
        "evidence": total.evidence,
        GROUNDING: total.grounding,
        RECALL: recall,
        "seconds": run.seconds,
        **figures["errors"],
        "on no page": figures["not_on_page"],
    }
    return Row(name, {column: value for column, value in measured.items() if value is not None} | calibrated(sure))


def empty_row(name: str, run: Run) -> Row:
    """Of single fields without a value; right is one that the document does not have."""
    return Row(name, calibrated(run.empty))


def calibrated(each: Calibration) -> dict[str, float]:
    measured = {"values": each.values, SURE_ERROR: each.error, SURE_PRECISION: each.precision, SURE_VALUES: each.sure}
    return {column: value for column, value in measured.items() if value is not None}


def table(title: str, columns: tuple[str, ...], rows: list[Row]) -> list[str]:
    """As Markdown, without columns that are empty in every row."""
    if not rows:
        return ["Not measured in the last run."]
    shown = [column for column in columns if any(column in each.figures for each in rows)]
    head = [f"| {title} | " + " | ".join(shown) + " |", "|---" + "|---:" * len(shown) + "|"]
    return head + [f"| {each.name} | " + " | ".join(cell(each, name) for name in shown) + " |" for each in rows]


def cell(each: Row, column: str) -> str:
    value = each.figures.get(column)
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
