"""`docsieve extractions` against a running service."""

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import CommandLine
from tests.service import Service

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"number": {"type": "string", "x-labels": ["Slip number"]}, "total": {"type": "number"}},
}


@pytest.fixture
def extracted(service: Service) -> str:
    """The id of a completed extraction of one slip."""
    service.client.post("/schemas", json={"name": "slip", "schema": SCHEMA}).raise_for_status()
    document_id = service.upload(b"Slip number: S-77\nTotal: 9.50 EUR\n", "slip.txt", schema="slip").json()["id"]
    assert service.settled(document_id)["status"] == "ready"
    extraction_id: str = service.status(document_id)["extraction"]["id"]
    return extraction_id


def test_an_extraction_is_listed_shown_corrected_compared_and_exported(
    docsieve: CommandLine, extracted: str, tmp_path: Path
) -> None:
    listed = docsieve("extractions", "list", "--schema", "slip")
    assert listed.code == 0
    assert extracted in listed.out
    assert "slip@1" in listed.out
    shown = docsieve("extractions", "show", extracted, "--evidence")
    assert shown.code == 0
    assert "S-77" in shown.out
    assert "page 1: " in shown.out
    assert docsieve("extractions", "show", extracted, "--json").json()["value"]["total"] == 9.5
    corrected = docsieve("extractions", "correct", extracted, "number=S-78", "total=null", "--verify")
    assert (corrected.code, corrected.out) == (0, "2 corrected; verified.\n")
    assert docsieve("extractions", "show", extracted, "--json").json()["corrected_value"] == {
        "number": "S-78",
        "total": None,
    }
    compared = docsieve("extractions", "compare", extracted, extracted)
    assert (compared.code, compared.out.strip()) == (0, "2 equal, 0 different")
    target = tmp_path / "set.zip"
    assert docsieve("extractions", "dataset", "--schema", "slip", "-o", str(target)).code == 0
    with zipfile.ZipFile(target) as archive:
        [truth] = [json.loads(line) for line in archive.read("ground_truth.jsonl").splitlines()]
    assert truth["fields"] == {"number": "S-78", "total": None}
    table = tmp_path / "table.csv"
    exported = docsieve("extractions", "export", "--schema", "slip", "-o", str(table))
    assert exported.out == f"{table}: {table.stat().st_size:,} bytes.\n"
    [row] = csv.DictReader(io.StringIO(table.read_text("utf-8-sig"), newline=""))
    assert (row["files"], row["number"], row["total"]) == ("slip.txt", "S-78", "")
    assert [each.name for each in tmp_path.iterdir() if "part" in each.name] == []


@pytest.mark.parametrize(
    "arguments", [("-o", "table.pdf"), ("-o", "table.csv", "--lists", "sheets"), ("-o", "no/such/folder/table.csv")]
)
def test_an_export_that_cannot_be_written_is_a_usage_error(docsieve: CommandLine, arguments: tuple[str, ...]) -> None:
    assert docsieve("extractions", "export", *arguments).code == 2


def test_a_correction_that_does_not_fit_is_one_clear_line(docsieve: CommandLine, extracted: str) -> None:
    ran = docsieve("extractions", "correct", extracted, "total=much")
    assert (ran.code, ran.err) == (1, "correction_invalid: total: it must be of type number.\n")
    assert docsieve("extractions", "correct", extracted, "total").code == 2
