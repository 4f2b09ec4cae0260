"""`python -m benchmarks.layout`: reading order, joined lines and tables on generated layouts whose truth is known.

Every fifth document is a scan, which only Docsieve reads: the other libraries need an OCR program for it. Of the
layouts that are kept out of tuning, only totals are shown.
"""

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import mean
from typing import Annotated

import typer
from rich.console import Console

from benchmarks.layout.kept_layouts import KEPT
from benchmarks.layout.layouts import TUNED
from benchmarks.layout.readers import READERS
from benchmarks.layout.score import Score, score
from benchmarks.layout.sheet import Sheet, Words, pdf
from benchmarks.packet_parts.packets import scanned
from benchmarks.report import Row, Section, show

ORDER, JOINED, TABLES = "order edits, %", "joined lines, %", "tables, TEDS-like"
COLUMNS = ("documents", ORDER, JOINED, TABLES)
METHOD = """The order of lines is the sequence of the truth's lines that a reader's words come from; its distance is the
edits to the true sequence over the longer one. A line is joined if it has words of two columns, cells or blocks side by
side. Tables are compared as trees of rows and cells; further tables count as wrong."""


@dataclass
class Totals:
    scores: list[Score] = field(default_factory=list)

    def row(self, name: str) -> Row:
        tables = [each.table for each in self.scores if each.table is not None]
        figures: dict[str, float] = {
            "documents": len(self.scores),
            ORDER: 100 * mean(each.order for each in self.scores),
            JOINED: 100 * sum(each.joined for each in self.scores) / max(sum(each.lines for each in self.scores), 1),
        }
        return Row(name, figures | ({TABLES: mean(tables)} if tables else {}))


@dataclass(frozen=True)
class Document:
    layout: str
    kept: bool
    sheets: Sequence[Sheet]
    content: bytes
    is_scan: bool


def documents(count: int, *, scans: bool) -> Iterator[Document]:
    for kept, layouts in ((False, TUNED), (True, KEPT)):
        for layout in layouts:
            for at in range(count):
                rng = Random(f"{layout.__name__} {at}")
                sheets = layout(rng, Words(rng))
                content = pdf(sheets)
                is_scan = at % 5 == 4 and "hebrew" not in layout.__name__
                if is_scan and not scans:
                    continue
                content = scanned(content, rng, dpi=170) if is_scan else content
                yield Document(layout.__name__, kept, sheets, content, is_scan)


def main(
    count: Annotated[int, typer.Option(help="documents per layout")] = 5,
    scans: Annotated[bool, typer.Option(help="whether every fifth document is a scan")] = True,
    peers: Annotated[bool, typer.Option(help="whether other libraries read the documents with a text layer")] = True,
) -> None:
    totals: dict[str, Totals] = defaultdict(Totals)
    by_layout: dict[str, Totals] = defaultdict(Totals)
    with tempfile.TemporaryDirectory(prefix="bench-layout-") as folder:
        for document in documents(count, scans=scans):
            path = Path(folder) / "document.pdf"
            path.write_bytes(document.content)
            for name, reader in READERS.items():
                if name != "Docsieve" and (document.is_scan or not peers):
                    continue
                try:
                    said = reader(path)
                except ImportError:
                    continue
                found = score(document.sheets, said)
                kind = "scans" if document.is_scan else "text layers"
                totals[f"{name}: {kind}, {'kept' if document.kept else 'tuned'} layouts"].scores.append(found)
                if name == "Docsieve" and not document.kept:
                    by_layout[f"{document.layout}, {kind}"].scores.append(found)
    console = Console(width=130)
    show(console, Section("Layouts", METHOD, COLUMNS, [total.row(name) for name, total in sorted(totals.items())]))
    show(console, Section("Tuned layouts", METHOD, COLUMNS, [total.row(name) for name, total in by_layout.items()]))


if __name__ == "__main__":
    typer.run(main)
