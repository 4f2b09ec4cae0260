"""`docsieve batch` as a user runs it: a folder in, a table out."""

import csv
import io
import json
import signal
import subprocess
from pathlib import Path
from typing import Any
from uuid import uuid4

import openpyxl
import pytest

from tests.cli.terminal import COMMAND, CommandLine
from tests.service import Service

SCHEMA = {
    "type": "object",
    "properties": {
        "number": {"type": "string", "x-labels": ["Slip number"]},
        "date": {"type": "string", "format": "date", "x-labels": ["Date"]},
        "total": {"type": "number", "x-labels": ["Total"]},
    },
}


def write_slip(path: Path, number: str, total: str) -> None:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(f"Slip number: {number}\nDate: 2026-03-14\nTotal: {total} EUR\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "in"
    write_slip(root / "march" / "a.txt", "S-1", "9.50")
    write_slip(root / "march" / "b.txt", "S-2", "-3.25")
    write_slip(root / "april" / "c.txt", "S-3", "1,200.00")
    return root


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "slip.json"
    path.write_text(json.dumps(SCHEMA))
    return path


@pytest.fixture
def name() -> str:
    return f"batch {uuid4().hex[:8]}"


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline=""), strict=True))


def documents_of(service: Service, name: str) -> list[dict[str, Any]]:
    (batch,) = service.client.get("/batches", params={"name": name}).json()["batches"]
    found: list[dict[str, Any]] = service.client.get(f"/batches/{batch['id']}/documents").json()["documents"]
    return found


def test_a_folder_becomes_a_workbook_that_a_bookkeeper_can_use(
    docsieve: CommandLine, folder: Path, schema: Path, tmp_path: Path
) -> None:
    out = tmp_path / "table.xlsx"
    ran = docsieve("batch", "run", folder, "--schema", schema, "-o", out)
    assert ran.code == 0, ran.err
    assert ran.out.endswith(f"Written to {out}.\n")
    sheet = openpyxl.load_workbook(out)["extractions"]
    titles = [each.value for each in sheet[1]]
    rows = [dict(zip(titles, (each.value for each in row), strict=True)) for row in sheet.iter_rows(min_row=2)]
    assert [(row["group"], row["number"], row["total"]) for row in rows] == [
        ("a.txt", "S-1", 9.5),
        ("b.txt", "S-2", -3.25),
        ("c.txt", "S-3", 1200),
    ]
    assert {row["date"].isoformat()[:10] for row in rows} == {"2026-03-14"}
    assert [each.name for each in tmp_path.iterdir() if each.name.endswith(".part")] == []


def test_files_of_a_folder_make_one_row_on_request(
    docsieve: CommandLine, folder: Path, schema: Path, tmp_path: Path
) -> None:
    out = tmp_path / "table.csv"
    ran = docsieve("batch", "run", folder, "--schema", schema, "--group-by", "folder", "-o", out)
    assert ran.code == 0, ran.err
    assert [(row["group"], row["files"]) for row in rows_of(out)] == [("april", "c.txt"), ("march", "a.txt; b.txt")]
    assert "A folder is one row" in ran.out


def test_names_that_match_a_pattern_make_one_row(
    docsieve: CommandLine, folder: Path, schema: Path, tmp_path: Path
) -> None:
    out = tmp_path / "table.csv"
    ran = docsieve(
        "batch", "run", folder, "--schema", schema, "--group-by", "pattern", "--pattern", "^(?P<group>[ab])", "-o", out
    )
    assert ran.code == 0, ran.err
    assert [row["group"] for row in rows_of(out)] == ["a", "b", "c.txt"]


def test_a_second_run_with_the_name_sends_only_what_is_new(
    docsieve: CommandLine, service: Service, folder: Path, schema: Path, name: str, tmp_path: Path
) -> None:
    out = tmp_path / "table.csv"
    run = ("batch", "run", folder, "--schema", schema, "--name", name, "-o", out)
    assert docsieve(*run).code == 0
    first = {each["id"] for each in documents_of(service, name)}
    write_slip(folder / "march" / "d.txt", "S-4", "4.00")
    write_slip(folder / "april" / "a.txt", "S-5", "5.00")
    assert docsieve(*run).code == 0
    second = documents_of(service, name)
    assert first < {each["id"] for each in second}
    assert sorted(each["filename"] for each in second) == ["a.txt", "a.txt", "b.txt", "c.txt", "d.txt"]
    assert [row["number"] for row in rows_of(out)] == ["S-1", "S-2", "S-3", "S-5", "S-4"]
    assert docsieve(*run).code == 0
    assert len(documents_of(service, name)) == 5


def test_a_batch_that_was_started_with_another_schema_is_not_mixed(
    docsieve: CommandLine, folder: Path, schema: Path, name: str, tmp_path: Path
) -> None:
    out = tmp_path / "table.csv"
    assert docsieve("batch", "run", folder, "--schema", schema, "--name", name, "-o", out).code == 0
    other = docsieve("batch", "run", folder, "--schema", "invoice", "--name", name, "-o", out)
    assert other.code == 1
    assert "Use another --name." in other.err
    grouped = docsieve("batch", "run", folder, "--schema", schema, "--name", name, "--group-by", "all", "-o", out)
    assert grouped.code == 1
    assert "was started with groups by document" in grouped.err


def test_a_file_that_is_refused_is_named_and_the_rest_is_in_the_table(
    docsieve: CommandLine, folder: Path, schema: Path, tmp_path: Path
) -> None:
    (folder / "program").write_bytes(b"\x7fELF\x00\x01")
    out = tmp_path / "table.csv"
    ran = docsieve("batch", "run", folder, "--schema", schema, "-o", out)
    assert ran.code == 1
    assert "unsupported_type" in ran.out
    assert len(rows_of(out)) == 3


def test_rows_that_need_review_are_code_3_when_strict(
    docsieve: CommandLine, folder: Path, schema: Path, tmp_path: Path
) -> None:
    options = ("--schema", schema, "--threshold", "1", "-o", tmp_path / "table.csv")
    assert docsieve("batch", "run", folder, *options, "--strict").code == 3
    assert docsieve("batch", "run", folder, *options).code == 0


def test_an_interrupted_run_says_how_to_resume_and_the_batch_goes_on(
    docsieve: CommandLine, service: Service, folder: Path, schema: Path, name: str, tmp_path: Path
) -> None:
    """The run waits for a document that takes its time."""
    (folder / "hang.poison").write_text("%POISON sleep\n")
    out = tmp_path / "table.csv"
    command = ["batch", "run", str(folder), "--schema", str(schema), "--name", name, "-o", str(out)]
    process = subprocess.Popen(
        [*COMMAND, *command], env=service.environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    service.wait_until(lambda: _is_running(service, name), what="batch running")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "docsieve batch run" in said
    assert f"--name '{name}'" in said
    assert not out.exists()
    assert docsieve("batch", "show", name, "--json").json()["status"] == "running"
    assert docsieve("batch", "cancel", name).out == "Cancelled.\n"
    assert "cancelled" in docsieve("batch", "list").out
    for each in documents_of(service, name):
        service.client.delete(f"/documents/{each['id']}")


def _is_running(service: Service, name: str) -> bool:
    found = service.client.get("/batches", params={"name": name}).json()["batches"]
    return bool(found) and found[0]["status"] == "running"


def test_a_batch_is_shown_and_exported_by_name(
    docsieve: CommandLine, folder: Path, schema: Path, name: str, tmp_path: Path
) -> None:
    out, again = tmp_path / "table.csv", tmp_path / "again.csv"
    assert docsieve("batch", "run", folder, "--schema", schema, "--name", name, "-o", out).code == 0
    shown = docsieve("batch", "show", name)
    assert "3 completed" in shown.out
    assert docsieve("batch", "export", name, "-o", again).code == 0
    assert again.read_bytes() == out.read_bytes()
    retried = docsieve("batch", "retry", name)
    assert (retried.code, retried.err.partition(":")[0]) == (1, "nothing_to_retry")
    assert docsieve("batch", "show", "no such batch").code == 1


def test_a_batch_says_what_was_added_since_its_start_and_starts_it(
    docsieve: CommandLine, service: Service, folder: Path, schema: Path, name: str, tmp_path: Path
) -> None:
    out = tmp_path / "table.csv"
    assert docsieve("batch", "run", folder, "--schema", schema, "--name", name, "-o", out).code == 0
    (batch,) = service.client.get("/batches", params={"name": name}).json()["batches"]
    added = {"file": ("late.txt", b"Slip number: S-9\nTotal: 1.00 EUR\n")}
    assert service.client.post("/documents", files=added, data={"batch": batch["id"]}).status_code == 200

    assert "1; see docsieve batch start" in docsieve("batch", "show", name).out
    assert docsieve("batch", "start", name).code == 0
    service.wait_until(lambda: service.client.get(f"/batches/{batch['id']}").json()["progress"]["completed"] == 4)
    assert "batch start" not in docsieve("batch", "show", name).out
    assert docsieve("batch", "start", name).err.partition(":")[0] == "nothing_to_start"


@pytest.mark.parametrize(
    "arguments",
    [
        ("-o", "table.pdf"),
        ("-o", "t.csv", "--group-by", "pattern"),
        ("-o", "t.csv", "--pattern", "x"),
        ("-o", "t.csv", "--schema", "no-such.json"),
    ],
)
def test_a_wrong_option_is_a_usage_error(docsieve: CommandLine, folder: Path, arguments: tuple[str, ...]) -> None:
    assert docsieve("batch", "run", folder, *arguments).code == 2
