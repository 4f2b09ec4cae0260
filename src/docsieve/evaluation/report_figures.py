"""The figures of a run as HTML tables."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from docsieve.domain.text import clean, visible
from docsieve.evaluation.errors import count_errors
from docsieve.evaluation.figures import Count, not_on_page
from docsieve.evaluation.report_curve import reliability_curve
from docsieve.evaluation.runs import Comparison, Run
from docsieve.evaluation.scores import ErrorKind

_MEANINGS = {
    ErrorKind.misread: "from the right place, with other letters, too long or too short",
    ErrorKind.wrong_place: "from another place on the pages",
    ErrorKind.unfound: "nothing given, though there is a true value",
    ErrorKind.fabricated: "a value that no page shows",
    ErrorKind.invented_item: "in an item of a list that does not exist",
    ErrorKind.invented_field: "a value for a field that the document does not have",
}


def figure_tables(run: Run, compared: Comparison | None) -> str:
    parts = [
        _summary(run),
        _compared(compared) if compared is not None else "",
        _fields(run.by_field),
        _errors(run),
        _rows(run.rows_by_kind),
        _kinds(run) if len(run.by_kind) > 1 else "",
        "<h2>Confidence</h2>",
        reliability_curve(run.bins),
        _bins(run),
    ]
    return "".join(parts)


def ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def text(value: Any) -> str:
    return escape(visible(clean(str(value))))


def _summary(run: Run) -> str:
    figures, total, sure = run.figures(), run.total, run.calibration
    grounding = f"{ratio(total.grounding)} of {total.placed}" if total.placed else "no true boxes"
    rows = [
        ("micro-F1", ratio(total.f1)),
        ("precision, recall", f"{ratio(total.precision)}, {ratio(total.recall)}"),
        ("micro-F1 to the letter", ratio(total.exact_f1)),
        ("single fields; rows of lists", f"{ratio(run.header.f1)}; {ratio(run.rows.f1 if run.rows.wanted else None)}"),
        ("right values with evidence", ratio(total.evidence)),
        ("evidence with IoU ≥ 0.5", grounding),
        ("calibration error", ratio(sure.error)),
        (f"precision at {run.threshold:g} and above", f"{ratio(sure.precision)} of {sure.sure}"),
        ("share of values there", ratio(sure.share)),
        ("documents; failed; to review", f"{len(run.documents)}; {run.failed}; {figures['needs_review']}"),
        ("cost, US dollars", f"{figures['cost']:.4f}"),
        ("seconds: all; reading; extracting", _seconds(figures)),
        ("truths without a field", str(run.not_asked)),
        ("model", run.model or "none"),
        ("docsieve", run.version),
    ]
    return _table(("", ""), rows)


def _fields(counts: Mapping[str, Count]) -> str:
    head = ("field", "F1", "precision", "recall", "to the letter", "evidence", "IoU ≥ 0.5", "wanted", "given", "right")
    rows = [
        (
            name,
            *map(ratio, (c.f1, c.precision, c.recall, c.exact_f1, c.evidence, c.grounding)),
            c.wanted,
            c.given,
            c.right,
        )
        for name, c in counts.items()
    ]
    return "<h2>Fields</h2>" + _table(head, rows)


def _errors(run: Run) -> str:
    counts = count_errors(run.leaves)
    rows = [(kind, number, _MEANINGS[kind]) for kind, number in counts.items()]
    absent = not_on_page(run.leaves)
    note = f"<p>True values that are on no page: {absent}.</p>" if absent else ""
    return "<h2>Errors</h2>" + _table(("kind", "values", "meaning"), rows) + note


def _rows(counts: Mapping[str, Count]) -> str:
    if not counts:
        return ""
    head = ("read from", "F1", "precision", "recall", "wanted", "given", "right")
    rows = [
        (name, *map(ratio, (c.f1, c.precision, c.recall)), c.wanted, c.given, c.right) for name, c in counts.items()
    ]
    return "<h2>Rows of lists by kind of table</h2>" + _table(head, rows)


def _kinds(run: Run) -> str:
    sure = f"at {run.threshold:g} and above"
    head = ("kind", "documents", "F1", "calibration error", f"values {sure}", "right among them")
    rows = [
        (
            name,
            each.documents,
            ratio(each.total.f1),
            ratio(each.calibration.error),
            each.calibration.sure,
            ratio(each.calibration.precision),
        )
        for name, each in run.by_kind.items()
    ]
    return "<h2>Kinds of documents</h2>" + _table(head, rows)


def _compared(comparison: Comparison) -> str:
    changes = [comparison.total, *(each for each in comparison.fields if each.by)]
    rows = [(each.field or "all fields", ratio(each.before), ratio(each.now), f"{each.by:+.3f}") for each in changes]
    files = "".join(
        f"<p>{title}: {text(', '.join(names))}</p>"
        for title, names in (("Worse", comparison.worse), ("Better", comparison.better))
        if names
    )
    head = ("field", "F1 before", "F1 now", "change")
    return f"<h2>Since the baseline</h2><p>{comparison.documents} documents are in both.</p>{_table(head, rows)}{files}"


def _bins(run: Run) -> str:
    rows = [
        (f"{each.low:.1f} to {each.high:.1f}", each.values, ratio(each.confidence), ratio(each.right))
        for each in run.bins
    ]
    return _table(("confidence", "values", "mean confidence", "share right"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A column of numbers is aligned to the right, with its heading."""
    listed = [tuple(row) for row in rows]
    numeric = [all(_is_number(row[place]) for row in listed) for place in range(len(head))]
    marks = [' class="n"' if each else "" for each in numeric]
    columns = "".join(f"<th{mark}>{text(name)}</th>" for mark, name in zip(marks, head, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{mark}>{text(each)}</td>" for mark, each in zip(marks, row, strict=True)) + "</tr>"
        for row in listed
    )
    return f"<table><tr>{columns}</tr>{body}</table>"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) or str(value) == "–" or str(value).lstrip("+-").replace(".", "", 1).isdigit()


def _seconds(figures: Mapping[str, Any]) -> str:
    return "; ".join(f"{figures[name]:.1f}" for name in ("seconds", "reading_seconds", "extracting_seconds"))
