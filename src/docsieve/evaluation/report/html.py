"""An evaluation as a self-contained HTML file with embedded page images and without scripts."""

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docsieve.evaluation.figures import Leaf
from docsieve.evaluation.report.figures import figure_tables, ratio, text
from docsieve.evaluation.report.page_images import PageImage
from docsieve.evaluation.runs import Comparison, DocumentRun, Run

_MAX_LEAVES = 300
_MAX_VALUE_CHARACTERS = 300
_ON_PAGE = {"no": "the truth is on no page", "nearly": "the pages show the truth with other letters"}

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
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{text(run.dataset)}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">',
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>{text(run.dataset)}</h1>",
        f"<p>Schema {text(run.schema)}, engine {text(run.engine)}, Docsieve {text(run.version)}</p>",
        figure_tables(run, compared),
        f"<h2>Documents</h2><p>{len(shown)} of {len(run.documents)}, worst first.</p>",
        *(_document(document, images[document.file]) for document in shown),
        f"<p>{left_out} more documents count in the figures above.</p>" if left_out else "",
        "</body></html>\n",
    ]
    return "".join(parts)


def _document(document: DocumentRun, images: Sequence[PageImage]) -> str:
    right = sum(leaf.outcome == "right" for leaf in document.leaves)
    flaw = f", {text(document.error)}" if document.error else ""
    review = ", needs review" if document.needs_review else ""
    heading = f"{text(document.file)}: {right} of {len(document.leaves)} right{review}{flaw}"
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
    place = ", ".join(str(page) for page in sorted({proof.page for proof in leaf.evidence})) or "–"
    why = "; ".join(filter(None, (leaf.why, _ON_PAGE.get(leaf.on_page or ""))))
    cells = (leaf.truth, leaf.value, ratio(leaf.confidence), place, why)
    inner = "".join(f"<td>{_value(each)}</td>" for each in cells)
    name = leaf.path or leaf.truth_path or leaf.pattern
    return f'<tr><td>{text(name)}</td><td class="{leaf.outcome}">{leaf.error or leaf.outcome}</td>{inner}</tr>'


def _page(image: PageImage, leaves: Iterable[Leaf]) -> str:
    page = image.page
    drawn = ""
    if image.webp is not None:
        source = f"data:image/webp;base64,{base64.b64encode(image.webp).decode()}"
        drawn = f'<image href="{source}" width="{page.width:g}" height="{page.height:g}"/>'
    boxes = "".join(
        _rectangle(proof.box, leaf) for leaf in leaves for proof in leaf.evidence if proof.page == page.number
    )
    return f'<svg viewBox="0 0 {page.width:g} {page.height:g}">{drawn}{boxes}</svg>'


def _rectangle(box: Sequence[float], leaf: Leaf) -> str:
    x0, y0, x1, y1 = box
    said = f"{leaf.path}: {_cut(leaf.value)}" + ("" if leaf.error is None else f" ({leaf.error})")
    place = f'x="{x0:.1f}" y="{y0:.1f}" width="{x1 - x0:.1f}" height="{y1 - y0:.1f}"'
    return f'<rect class="{leaf.outcome}" {place}><title>{text(said)}</title></rect>'


def _value(value: Any) -> str:
    return "–" if value is None else text(_cut(value))


def _cut(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _MAX_VALUE_CHARACTERS else f"{text[:_MAX_VALUE_CHARACTERS]} …"
