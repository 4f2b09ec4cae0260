"""The figures of a run as HTML tables."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from docsieve.domain.text import clean, visible
from docsieve.evaluation.errors import count_errors
from docsieve.evaluation.figures import Count, not_on_page
from docsieve.evaluation.report.curve import reliability_curve
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
        _errors(run),
        _kinds(run) if len(run.by_kind) > 1 else "",
        "<h2>Confidence</h2>",
        reliability_curve(run.bins),
        _bins(run),
        _rows(run.rows_by_kind),
        _fields(run.by_field),
    ]
    return "".join(parts)


def ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def text(value: Any) -> str:
    return escape(visible(clean(str(value))))


def _summary(run: Run) -> str:
    figures, total, sure, rows = run.figures(), run.total, run.calibration, run.rows
    lines = [
        ("F1 over all values", ratio(total.f1)),
        ("precision", ratio(total.precision)),
        ("recall", ratio(total.recall)),
        ("F1 to the letter", ratio(total.exact_f1)),
        ("F1 of single fields", ratio(run.header.f1)),
        ("F1 of rows of lists", ratio(rows.f1) if rows.wanted or rows.given else None),
        ("right values with evidence", ratio(total.evidence)),
        ("of them with IoU ≥ 0.5", f"{ratio(total.grounding)} of {total.placed}" if total.placed else None),
        ("calibration error", ratio(sure.error)),
        (f"right at confidence {run.threshold:g} and above", f"{ratio(sure.precision)} of {sure.sure}"),
        (f"empty fields at {run.threshold:g} and above", _empty(run)),
        ("documents", f"{len(run.documents)}, {run.failed} failed, {figures['needs_review']} to review"),
        ("truths without a field", run.not_asked or None),
        ("model", run.model),
        ("cost", f"{figures['cost']:.4f} US dollars" if figures["cost"] else None),
        ("time", f"{run.seconds:.1f} s"),
        ("time of all processes", _seconds(figures)),
    ]
    return _table(("", ""), [line for line in lines if line[1] is not None])


def _empty(run: Run) -> str | None:
    empty = run.empty
    return f"{ratio(empty.precision)} of {empty.sure} really absent" if empty.values else None


def _fields(counts: Mapping[str, Count]) -> str:
    placed = any(each.placed for each in counts.values())
    head = ["field", "F1", "precision", "recall", "to the letter", "evidence", "wanted", "given", "right"]
    rows = [[name, *_ratios(each), ratio(each.exact_f1), ratio(each.evidence)] for name, each in counts.items()]
    if placed:
        head.insert(6, "IoU ≥ 0.5")
    for row, each in zip(rows, counts.values(), strict=True):
        row += [ratio(each.grounding)] if placed else []
        row += [str(number) for number in (each.wanted, each.given, each.right)]
    return "<h2>Fields</h2>" + _table(head, rows)


def _ratios(each: Count) -> tuple[str, str, str]:
    """F1, precision and recall; there is no precision where nothing was given."""
    return (
        ratio(each.f1),
        ratio(each.precision if each.given else None),
        ratio(each.recall if each.wanted else None),
    )


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
    reading, extracting = (figures[name] for name in ("reading_seconds", "extracting_seconds"))
    return f"{reading:.1f} s of reading, {extracting:.1f} s of extracting"
