"""`docsieve eval` as a user runs it, on a small set made here."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from tests.cli.terminal import CommandLine
from tests.service import is_setting

SCHEMA = {
    "type": "object",
    "properties": {
        "invoice_number": {"type": "string", "description": "number of the invoice"},
        "total": {"type": "number", "description": "total amount to be paid", "x-labels": ["Total"]},
    },
}
TRUTHS = {"a": ("INV-1001", "1,200.50"), "b": ("INV-1002", "17.00"), "c": ("INV-1003", "99.95")}

ONE_PROCESS = ("--processes", "1")  # each costs a second of processor time, and two have hardly anything to do


@pytest.fixture
def docsieve(tmp_path: Path) -> CommandLine:
    kept = {name: value for name, value in os.environ.items() if not is_setting(name)}
    return CommandLine({**kept, "XDG_CACHE_HOME": str(tmp_path / "cache")})


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Three invoices and their truth; the number of the third is said to be another than it is."""
    folder = tmp_path / "invoices <set>"
    folder.mkdir()
    (folder / "schema.json").write_text(json.dumps(SCHEMA))
    lines = []
    for name, (number, total) in TRUTHS.items():
        canvas = Canvas(str(folder / f"{name}.pdf"), pagesize=(595, 842))
        canvas.drawString(60, 700, f"Invoice number: {number}")
        canvas.drawString(60, 600, f"Total: {total}")
        canvas.save()
        fields = {"invoice_number": number if name != "c" else "<b>X</b>", "total": total}
        start, end = (60 + stringWidth(text, "Helvetica", 12) for text in ("Total: ", f"Total: {total}"))
        boxes = {"total": [{"page": 1, "box": [start, 233, end, 245]}]}
        lines.append(json.dumps({"file": f"{name}.pdf", "fields": fields, "boxes": boxes}))
    (folder / "ground_truth.jsonl").write_text("\n".join(lines))
    return folder


def figures(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())["figures"]
    return found


def test_figures_and_report_show_correct_values(docsieve: CommandLine, dataset: Path, tmp_path: Path) -> None:
    run, report = tmp_path / "run.json", tmp_path / "report.html"
    ran = docsieve("eval", dataset, *ONE_PROCESS, "--json", run, "-o", report)
    assert ran.code == 0, ran.err
    measured = figures(run)
    assert measured["overall"]["f1"] == pytest.approx(5 / 6)
    assert measured["fields"]["total"]["f1"] == 1.0
    assert measured["fields"]["invoice_number"]["right"] == 2
    assert measured["overall"]["evidence"] == 1.0
    assert (measured["overall"]["grounding"], measured["overall"]["placed"]) == (1.0, 3)
    assert 0 <= measured["calibration_error"] <= 1
    assert measured["errors"]["wrong place"] == 1
    assert sum(measured["errors"].values()) == 1
    assert measured["empty"]["fields"] == 0
    assert sum(kind["documents"] for kind in measured["kinds"].values()) == 3
    assert re.search(r"^all +0\.833", ran.out, re.MULTILINE)
    assert re.search(r"^errors +1 wrong place; 1 true value is on no page", ran.out, re.MULTILINE)
    page = report.read_text()
    assert '<td class="wrong">wrong place</td>' in page
    assert page.count("data:image/webp;base64,") == 3
    assert '<rect class="right"' in page
    assert '<rect class="wrong"' in page
    assert "&lt;b&gt;X&lt;/b&gt;" in page
    assert "<b>X</b>" not in page
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=\"(?!data:image/webp;base64,)", page)


def test_documents_with_their_own_schemas_are_compared(docsieve: CommandLine, dataset: Path, tmp_path: Path) -> None:
    (dataset / "schema.json").rename(dataset / "first.json")
    (dataset / "second.json").write_text(json.dumps(SCHEMA | {"properties": {"total": {"type": "number"}}}))
    truth = dataset / "ground_truth.jsonl"
    lines = [json.loads(line) for line in truth.read_text().splitlines()]
    schemas = ("first.json", "first.json", "second.json")
    truth.write_text("\n".join(json.dumps({**each, "schema": name}) for each, name in zip(lines, schemas, strict=True)))
    run, report = tmp_path / "run.json", tmp_path / "report.html"
    ran = docsieve("eval", dataset, *ONE_PROCESS, "--json", run, "-o", report)
    assert ran.code == 0, ran.err
    assert {name: kind["documents"] for name, kind in figures(run)["kinds"].items()} == {"first": 2, "second": 1}
    assert re.search(r"^kind of document +documents", ran.out, re.MULTILINE)
    assert "<h2>Kinds of documents</h2>" in report.read_text()


def test_a_gate_below_its_mark_exits_three(docsieve: CommandLine, dataset: Path) -> None:
    refused = docsieve("eval", dataset, *ONE_PROCESS, "--fail-below", "0.9")
    assert refused.code == 3
    assert "micro-F1 0.833 is below 0.9" in refused.out


def test_a_schema_that_finds_less_than_before_exits_three(docsieve: CommandLine, dataset: Path, tmp_path: Path) -> None:
    before, now = tmp_path / "before.json", tmp_path / "now.json"
    docsieve("eval", dataset, *ONE_PROCESS, "--json", before)
    assert docsieve("eval", dataset, *ONE_PROCESS, "--baseline", before).code == 0
    worse = {"type": "object", "properties": {"invoice_number": {"type": "string", "format": "iban"}}}
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(worse))
    fewer = docsieve("eval", dataset, *ONE_PROCESS, "--schema", changed, "--baseline", before, "--json", now)
    assert figures(now)["not_asked"] == 3
    assert fewer.code == 3
    assert "micro-F1 dropped by" in fewer.out
    allowed = docsieve("eval", dataset, *ONE_PROCESS, "--schema", changed, "--baseline", before, "--regression", "0.9")
    assert allowed.code == 0


def test_a_document_that_fails_counts_as_missed(docsieve: CommandLine, dataset: Path, tmp_path: Path) -> None:
    (dataset / "a.pdf").write_bytes(b"%PDF-1.7\nbroken")
    run = tmp_path / "run.json"
    ran = docsieve("eval", dataset, *ONE_PROCESS, "--json", run, "--limit", "2", "--fail-below", "0.1")
    assert ran.code == 0
    assert "a.pdf: corrupt_document" in ran.out
    assert figures(run)["overall"]["wanted"] == 4
    assert (figures(run)["documents"], figures(run)["failed"]) == (2, 1)


def test_an_invalid_dataset_is_rejected(docsieve: CommandLine, tmp_path: Path) -> None:
    refused = docsieve("eval", tmp_path, "--schema", "receipt")
    assert refused.code == 1
    assert "has no ground_truth.jsonl" in refused.err
