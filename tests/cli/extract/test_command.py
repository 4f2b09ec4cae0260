"""`docsieve extract` as a user runs it: no server, files in, values with their proof out."""

import csv
import io
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas
from typer.testing import CliRunner

from docsieve import faults
from docsieve.cli.extract.command import app
from docsieve.cli.extract.files import csv_content
from docsieve.cli.extract.outcomes import FileOutcome
from docsieve.cli.extract.view import show_outcomes
from docsieve.domain.extraction import Check, Doubt, LeafMetadata, Result
from docsieve.domain.pages.page import Table
from docsieve.domain.schemas.fields import Schema
from docsieve.parsers.office.ooxml.format import OOXML
from docsieve.parsers.port import ReadOptions
from tests.cli.terminal import COMMAND, CommandLine
from tests.provider_server import KEY, problem, serving
from tests.service import is_setting
from tests.signals import PipeSignals, named

SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "invoice_number": {"type": "string", "description": "number of the invoice"},
        "invoice_date": {"type": "string", "format": "date"},
        "total": {"type": "number", "description": "total amount to be paid", "x-labels": ["Total"]},
        "remark": {"type": "string", "x-labels": ["Remark"]},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "description": {"type": "string"},
                    "quantity": {"type": "integer"},
                    "amount": {"type": "number"},
                },
            },
        },
    },
}


def write_invoice(path: Path, number: str = "INV-2041", remark: str = "none") -> Path:
    canvas = Canvas(str(path), pagesize=(595, 842))
    lines = [(760, f"Invoice number: {number}"), (740, "Invoice date: 14 March 2025"), (720, f"Remark: {remark}")]
    for height, text in lines:
        canvas.drawString(60, height, text)
    rows = [("Description", "Quantity", "Amount"), ("Desk lamp", "2", "80.00"), ("Office chair", "1", "120.50")]
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            canvas.drawString(60 + 160 * column, 660 - 18 * row, text)
    canvas.drawString(220, 590, "Total: 200.50")
    canvas.save()
    return path


@pytest.fixture
def docsieve(tmp_path: Path) -> CommandLine:
    kept = {name: value for name, value in os.environ.items() if not is_setting(name)}
    return CommandLine({**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": _folder(tmp_path / "tmp")})


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "wanted.json"
    path.write_text(json.dumps(SCHEMA))
    return path


@pytest.fixture
def invoice(tmp_path: Path) -> Path:
    return write_invoice(tmp_path / "invoice.pdf")


def _folder(path: Path) -> str:
    path.mkdir()
    return str(path)


def test_values_come_out_as_json_with_their_place_on_the_page(
    docsieve: CommandLine, schema: Path, invoice: Path
) -> None:
    ran = docsieve("extract", invoice, "--schema", schema, "-o", "json", "--evidence")
    assert ran.code == 0, ran.err
    (only,) = ran.json()
    assert only["file"] == str(invoice)
    value = only["value"]
    assert (value["invoice_number"], value["invoice_date"], value["total"]) == ("INV-2041", "2025-03-14", 200.5)
    assert value["items"] == [
        {"description": "Desk lamp", "quantity": 2, "amount": 80},
        {"description": "Office chair", "quantity": 1, "amount": 120.5},
    ]
    proof = only["metadata"]["invoice_number"]
    assert proof["grounded"]
    assert 0 < proof["confidence"] <= 1
    (evidence,) = proof["evidence"]
    assert (evidence["page"], evidence["text"]) == (1, "INV-2041")
    assert set(only["metadata"]) >= {"total", "items[1].amount"}


def test_a_csv_has_a_row_for_each_document_and_lists_as_json(
    docsieve: CommandLine, schema: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in ("INV-1001", "INV-1002"):
        write_invoice(folder / f"{number}.pdf", number)
    ran = docsieve("extract", folder, "--schema", schema, "-o", folder / "out.csv", "--processes", "1")
    assert ran.code == 0, ran.err
    rows = list(csv.DictReader(io.StringIO((folder / "out.csv").read_text("utf-8-sig"))))
    assert [row["invoice_number"] for row in rows] == ["INV-1001", "INV-1002"]
    assert [row["status"] in ("ok", "needs review") for row in rows] == [True, True]
    assert json.loads(rows[0]["items"])[0]["description"] == "Desk lamp"
    again = docsieve("extract", folder / "*.pdf", "--schema", schema, "-o", "csv", "--evidence", "--processes", "1")
    first = next(csv.DictReader(io.StringIO(again.out)))
    assert (first["invoice_number.page"], first["invoice_number.text"]) == ("1", "INV-1001")
    assert len(first["invoice_number.box"].split()) == 4


def test_a_workbook_has_a_sheet_for_each_list_and_opens_again(
    docsieve: CommandLine, schema: Path, invoice: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.xlsx"
    ran = docsieve("extract", invoice, "--schema", schema, "-o", out, "--evidence")
    assert ran.code == 0, ran.err
    pages = list(OOXML.read(out, ReadOptions()).pages)
    sheets = [_grid(table) for page in pages for table in page.tables]
    documents, items = sheets
    assert documents[0][:12] == [
        "file",
        "status",
        "confidence",
        "error",
        "invoice_number",
        "invoice_date",
        "total",
        "remark",
        "invoice_number.confidence",
        "invoice_number.page",
        "invoice_number.box",
        "invoice_number.text",
    ]
    assert documents[1][4:7] == ["INV-2041", "2025-03-14", "200.5"]
    assert (documents[1][9], documents[1][11]) == ("1", "INV-2041")
    assert [row[1:5] for row in items] == [
        ["row", "description", "quantity", "amount"],
        ["1", "Desk lamp", "2", "80"],
        ["2", "Office chair", "1", "120.5"],
    ]
    assert items[2][items[0].index("amount.text")] == "120.50"


def test_the_table_shows_values_and_evidence_on_demand(docsieve: CommandLine, schema: Path, invoice: Path) -> None:
    plain = docsieve("extract", invoice, "--schema", schema).out
    assert "INV-2041" in plain
    assert "Office chair" in plain
    shown = docsieve("extract", invoice, "--schema", schema, "--evidence").out
    assert "text on the page" in shown
    assert "items[0].description" in shown


def test_the_table_says_why_a_field_needs_review_and_nothing_about_others(capsys: pytest.CaptureFixture[str]) -> None:
    doubt = Doubt("no_label", "No label was found next to the value.", None, [])
    failed = Check("type", False, "Not a valid number.")
    metadata = {
        "doubtful": LeafMetadata(0.4, True, doubts=[doubt], needs_review=True),
        "failed": LeafMetadata(0.4, True, checks=[failed], doubts=[doubt], needs_review=True),
        "sure": LeafMetadata(0.9, True, doubts=[doubt], needs_review=False),
    }
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in metadata}}
    outcome = FileOutcome("a.pdf", Result(dict.fromkeys(metadata, "x"), metadata, 0.5))
    show_outcomes([outcome], schema, threshold=0.7, evidence=False)
    shown = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert " ".join(shown["doubtful"]) == "x 0.40 No label was found next to the value."
    assert " ".join(shown["failed"]) == "x 0.40 Not a valid number."
    assert shown["sure"] == ["x", "0.90"]


def test_a_file_that_fails_is_told_and_the_others_go_on(
    docsieve: CommandLine, schema: Path, invoice: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nnothing")
    ran = docsieve("extract", broken, invoice, "--schema", schema, "-o", "json")
    assert ran.code == 1
    failed, fine = ran.json()
    assert (failed["status"], failed["error"]["code"]) == ("failed", "corrupt_document")
    assert fine["value"]["invoice_number"] == "INV-2041"


def test_strict_exits_three_where_a_document_needs_a_review(docsieve: CommandLine, schema: Path, invoice: Path) -> None:
    ran = docsieve("extract", invoice, "--schema", schema, "-o", "json", "--threshold", "1", "--strict")
    assert ran.code == 3
    assert ran.json()[0]["status"] == "needs review"


def test_a_language_model_is_asked_without_a_server_and_its_values_are_found_on_the_page(
    docsieve: CommandLine, schema: Path, invoice: Path
) -> None:
    with serving() as provider:
        provider.replies = [problem(429, "rate_limit_exceeded", **{"Retry-After": "0"})]
        rows = [("Desk lamp", 2, 80), ("Office chair", 1, 120.5)]
        items = [dict(zip(("description", "quantity", "amount"), row, strict=True)) for row in rows]
        answer = {"invoice_number": None, "invoice_date": None, "total": 200.5, "remark": "made up", "items": items}
        provider.answer = lambda _: answer
        settings = {
            "DOCSIEVE_PROVIDER_URLS": f"compatible={provider.url}",
            "DOCSIEVE_PROVIDER_KEYS": f"compatible={KEY}",
        }
        ran = docsieve(
            *("extract", invoice, "--schema", schema, "-o", "json", "--evidence"),
            *("--engine", "llm", "--model", "compatible:small"),
            **settings,
        )
    assert ran.code == 0, ran.out
    (only,) = ran.json()
    assert only["value"]["total"] == 200.5
    assert only["metadata"]["total"]["evidence"][0]["text"] == "200.50"
    assert not only["metadata"]["remark"]["grounded"]
    assert only["usage"]["calls"] == 1


def test_a_model_that_is_not_configured_is_reported(docsieve: CommandLine, schema: Path, invoice: Path) -> None:
    ran = docsieve("extract", invoice, "--schema", schema, "-o", "json", "--engine", "llm")
    assert ran.code == 1
    assert ran.json()[0]["error"]["code"] == "no_model"


@pytest.mark.parametrize(
    "wrong",
    [
        ("--schema", "no-such-schema"),
        ("--schema", "missing.json"),
        ("--schema", "receipt", "-o", "out.docx"),
        ("--schema", "receipt", "--format", "xlsx"),
        ("--schema", "receipt", "--format", "table", "-o", "out.txt"),
        ("--schema", "receipt", "--cache", "x", "--no-cache"),
    ],
)
def test_a_wrong_command_exits_two(invoice: Path, wrong: tuple[str, ...]) -> None:
    assert CliRunner().invoke(app, [str(invoice), *wrong]).exit_code == 2


def test_a_table_of_prices_that_cannot_be_read_exits_two(
    docsieve: CommandLine, schema: Path, invoice: Path, tmp_path: Path
) -> None:
    (tmp_path / "prices.json").write_text('{"as_of": "2026-11", "models": {"openai": {"gpt-4o": {"input": -1}}}}')
    ran = docsieve("extract", invoice, "--schema", schema, "-o", "json", DOCSIEVE_DATA_DIR=str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("prices_invalid: ") and "models.openai.gpt-4o.input" in ran.err


def test_an_invalid_schema_is_reported_with_its_location(invoice: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text('{"type": "object", "properties": {"total": {"type": "money"}}}')
    ran = CliRunner().invoke(app, [str(invoice), "--schema", str(path)])
    assert ran.exit_code == 2
    assert "/properties/total/type" in ran.output


def test_text_that_would_become_a_formula_is_disarmed() -> None:
    value = {"invoice_number": "=HYPERLINK(1)", "total": -5, "items": []}
    outcome = FileOutcome("+evil.pdf", Result(value, {}, 0.9))
    content = csv_content([outcome], SCHEMA, evidence=False, bom=False)
    row = next(csv.DictReader(io.StringIO(content.decode(), newline="")))
    assert (row["file"], row["invoice_number"], row["total"]) == ("'+evil.pdf", "'=HYPERLINK(1)", "-5")


def test_pages_are_kept_for_the_next_time_unless_told_not_to(
    docsieve: CommandLine, schema: Path, invoice: Path, tmp_path: Path
) -> None:
    docsieve("extract", invoice, "--schema", schema, "--no-cache")
    assert not list(tmp_path.glob("cache/**/*.pages"))
    docsieve("extract", invoice, "--schema", schema)
    (kept,) = tmp_path.glob("cache/**/*.pages")
    assert kept.parent.stat().st_mode & 0o077 == 0
    before = kept.stat().st_ino
    docsieve("extract", invoice, "--schema", schema)
    assert kept.stat().st_ino == before


@pytest.mark.parametrize(
    "damage", [pytest.param(b"", marks=pytest.mark.slow), b"pages of another release"], ids=["empty", "other form"]
)
def test_kept_pages_that_are_damaged_are_read_again(
    docsieve: CommandLine, invoice: Path, schema: Path, tmp_path: Path, damage: bytes
) -> None:
    first = docsieve("extract", invoice, "--schema", schema, "-o", "json")
    (kept,) = tmp_path.glob("cache/**/*.pages")
    kept.write_bytes(damage)
    again = docsieve("extract", invoice, "--schema", schema, "-o", "json")
    assert (again.code, again.json()) == (0, first.json())
    assert kept.read_bytes() != damage


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_command_leaves_nothing_behind(
    docsieve: CommandLine, schema: Path, tmp_path: Path, number: signal.Signals
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for each in range(40):
        write_invoice(folder / f"{each}.pdf", f"INV-{each}")
    out = tmp_path / "out.json"
    arguments = [*COMMAND, "extract", str(folder), "--schema", str(schema), "-o", str(out), "--processes", "1"]
    signals = PipeSignals(tmp_path / "signals")
    environment = {**docsieve.environment, faults.PIPE_VARIABLE: str(signals.path)}
    process = subprocess.Popen(arguments, env=environment, stderr=subprocess.PIPE, text=True)
    signals.until(named("pages.cached"))
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert said == "stopped\n"
    assert not out.exists()
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not _processes_below(process.pid)
    signals.close()


def _processes_below(pid: int) -> list[str]:
    return [entry for entry in os.listdir("/proc") if entry.isdigit() and _parent(entry) == pid]


def _parent(pid: str) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


def _grid(table: Table) -> list[list[str]]:
    grid = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        grid[cell.row][cell.column] = cell.text
    return grid
