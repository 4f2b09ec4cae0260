"""An evaluation as a self-contained HTML file with embedded page images and without scripts."""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from docsieve.domain.text import clean, visible
from docsieve.evaluation.figures import Count, Leaf, calibration_error
from docsieve.evaluation.page_images import PageImage
from docsieve.evaluation.report_curve import reliability_curve
from docsieve.evaluation.runs import Comparison, DocumentRun, Run

_MAX_LEAVES = 300
_MAX_VALUE_CHARACTERS = 300
_ON_PAGE = {"no": "the pages do not show the truth", "nearly": "the pages show the truth with other letters"}

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --right: #1a8f3c; --wrong: #d03030; --missed: #b07000; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.2rem; }
table { border-collapse: collapse; margin: .6rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.right { color: var(--right); } .wrong, .invented { color: var(--wrong); } .missed { color: var(--missed); }
details { border-top: 1px solid var(--line); padding: .5rem 0; } summary { cursor: pointer; }
.pages { display: flex; flex-wrap: wrap; gap: 1rem; } .pages svg { width: 30rem; max-width: 100%; height: auto;
  border: 1px solid var(--line); background: #fff; }
rect { fill-opacity: .18; stroke-width: 1.2; }
rect.right { fill: #1a8f3c; stroke: #1a8f3c; } rect.wrong, rect.invented { fill: #d03030; stroke: #d03030; }
.curve { width: 22rem; } .curve rect { fill-opacity: 0; }
"""


def html_report(
    run: Run, images: Mapping[str, Sequence[PageImage]], *, compared: Comparison | None, left_out: int
) -> str:
    """`images` has pages by document file. `left_out` documents are included in the figures but not listed."""
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    shown = [document for document in run.documents if document.file in images]
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{_text(run.dataset)}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">',
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>{_text(run.dataset)}: {_text(run.schema)} by {_text(run.engine)}</h1>",
        _summary(run),
        _compared(compared) if compared is not None else "",
        _fields(run.by_field),
        "<h2>Confidence</h2>",
        reliability_curve(run.bins),
        _bins(run),
        f"<h2>Documents</h2><p>{len(shown)} of {len(run.documents)}, worst first.</p>",
        *(_document(document, images[document.file]) for document in shown),
        f"<p>{left_out} more documents count in the figures above.</p>" if left_out else "",
        "</body></html>\n",
    ]
    return "".join(parts)


def _summary(run: Run) -> str:
    figures, total = run.figures(), run.total
    rows = [
        ("micro-F1", _ratio(total.f1)),
        ("precision, recall", f"{_ratio(total.precision)}, {_ratio(total.recall)}"),
        ("micro-F1 to the letter", _ratio(total.exact_f1)),
        (
            "single fields; rows of lists",
            f"{_ratio(run.header.f1)}; {_ratio(run.rows.f1 if run.rows.wanted else None)}",
        ),
        ("right values with evidence", _ratio(total.evidence)),
        ("evidence upon the true place", f"{_ratio(total.overlap)} of {total.placed}"),
        ("calibration error", _ratio(calibration_error(run.bins))),
        (f"precision at {run.threshold:g} and above", _ratio(figures["precision_at_threshold"])),
        ("share of values there", _ratio(figures["share_at_threshold"])),
        ("documents; failed; to review", f"{len(run.documents)}; {run.failed}; {figures['needs_review']}"),
        ("cost, US dollars", f"{figures['cost']:.4f}"),
        ("seconds: all; reading; extracting", _seconds(figures)),
        ("truths without a field", str(run.not_asked)),
        ("model", run.model or "none"),
        ("docsieve", run.version),
    ]
    return _table(("", ""), rows)


def _fields(counts: Mapping[str, Count]) -> str:
    head = ("field", "F1", "precision", "recall", "to the letter", "evidence", "overlap", "wanted", "given", "right")
    rows = [
        (
            name,
            *map(_ratio, (c.f1, c.precision, c.recall, c.exact_f1, c.evidence, c.overlap)),
            c.wanted,
            c.given,
            c.right,
        )
        for name, c in counts.items()
    ]
    return "<h2>Fields</h2>" + _table(head, rows)


def _compared(comparison: Comparison) -> str:
    changes = [comparison.total, *(each for each in comparison.fields if each.by)]
    rows = [(each.field or "all fields", _ratio(each.before), _ratio(each.now), f"{each.by:+.3f}") for each in changes]
    files = "".join(
        f"<p>{title}: {_text(', '.join(names))}</p>"
        for title, names in (("Worse", comparison.worse), ("Better", comparison.better))
        if names
    )
    head = ("field", "F1 before", "F1 now", "change")
    return f"<h2>Since the baseline</h2><p>{comparison.documents} documents are in both.</p>{_table(head, rows)}{files}"


def _bins(run: Run) -> str:
    rows = [
        (f"{each.low:.1f} to {each.high:.1f}", each.values, _ratio(each.confidence), _ratio(each.right))
        for each in run.bins
    ]
    return _table(("confidence", "values", "mean confidence", "share right"), rows)


def _document(document: DocumentRun, images: Sequence[PageImage]) -> str:
    right = sum(leaf.outcome == "right" for leaf in document.leaves)
    flaw = f", {_text(document.error)}" if document.error else ""
    review = ", needs review" if document.needs_review else ""
    heading = f"{_text(document.file)}: {right} of {len(document.leaves)} right{review}{flaw}"
    rows = "".join(_leaf(leaf) for leaf in document.leaves[:_MAX_LEAVES])
    more = len(document.leaves) - _MAX_LEAVES
    rest = f"<p>… and {more} more values</p>" if more > 0 else ""
    columns = "".join(f"<th>{name}</th>" for name in ("field", "", "truth", "value", "confidence", "page", "why"))
    pages = "".join(_page(image, document.leaves) for image in images)
    return (
        f"<details><summary>{heading}</summary><table><tr>{columns}</tr>{rows}</table>{rest}"
        f'<div class="pages">{pages}</div></details>'
    )


def _leaf(leaf: Leaf) -> str:
    place = ", ".join(str(page) for page in sorted({proof["page"] for proof in leaf.evidence})) or "–"
    why = _ON_PAGE.get(leaf.on_page or "", leaf.why or "")
    cells = (leaf.truth, leaf.value, _ratio(leaf.confidence), place, why)
    inner = "".join(f"<td>{_value(each)}</td>" for each in cells)
    name = leaf.path or leaf.truth_path or leaf.pattern
    return f'<tr><td>{_text(name)}</td><td class="{leaf.outcome}">{leaf.outcome}</td>{inner}</tr>'


def _page(image: PageImage, leaves: Iterable[Leaf]) -> str:
    page = image.page
    drawn = ""
    if image.webp is not None:
        source = f"data:image/webp;base64,{base64.b64encode(image.webp).decode()}"
        drawn = f'<image href="{source}" width="{page.width:g}" height="{page.height:g}"/>'
    boxes = "".join(
        _rectangle(proof["box"], leaf) for leaf in leaves for proof in leaf.evidence if proof["page"] == page.number
    )
    return f'<svg viewBox="0 0 {page.width:g} {page.height:g}">{drawn}{boxes}</svg>'


def _rectangle(box: Sequence[float], leaf: Leaf) -> str:
    x0, y0, x1, y1 = box
    said = f"{leaf.path}: {_cut(leaf.value)}" + ("" if leaf.outcome == "right" else f" ({leaf.outcome})")
    place = f'x="{x0:.1f}" y="{y0:.1f}" width="{x1 - x0:.1f}" height="{y1 - y0:.1f}"'
    return f'<rect class="{leaf.outcome}" {place}><title>{_text(said)}</title></rect>'


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    columns = "".join(f"<th>{_text(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(_cell(each) for each in row) + "</tr>" for row in rows)
    return f"<table><tr>{columns}</tr>{body}</table>"


def _cell(value: Any) -> str:
    number = isinstance(value, int | float) or re.fullmatch(r"[+-]?[\d.,]+", str(value))
    return f'<td class="n">{_text(value)}</td>' if number else f"<td>{_text(value)}</td>"


def _seconds(figures: Mapping[str, Any]) -> str:
    return "; ".join(f"{figures[name]:.1f}" for name in ("seconds", "reading_seconds", "extracting_seconds"))


def _ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _value(value: Any) -> str:
    return "–" if value is None else _text(_cut(value))


def _cut(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _MAX_VALUE_CHARACTERS else f"{text[:_MAX_VALUE_CHARACTERS]} …"


def _text(value: Any) -> str:
    return escape(visible(clean(str(value))))
