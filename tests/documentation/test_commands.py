"""Every command in the documentation works, and every output shown is what the command prints.

`make printed` first updates the decimals of these outputs in the pages.
"""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from docsieve.api.wire.projects import ProjectUpdate
from tests.documentation.pages import ROOT, Block, blocks, printed, renew
from tests.documentation.shell import Shell
from tests.service import ADMIN_KEY, Service

SAMPLES = ROOT / "samples" / "documents"
INVOICE = SAMPLES / "invoice-NL-2026-0417.pdf"
RECEIPT = "Corner Books Ltd\n12 High Street, Dublin\n\nReceipt No 4711\nDate: 14/03/2026\n\nTotal EUR   33.00\n"
OUTPUTS = ("{", "schema_invalid: ", "samples/documents/invoice")
README_SECTIONS = ("First use", "Without a server")
EXPECTED_PROBLEMS = {
    "docs/api.md": ["job_not_cancellable", "job_not_retryable"],
}
"""Requests that the page says are rejected."""

EXPECTED_EXITS = {
    # The model's provider is not configured here; the command fails before sending anything.
    "docsieve extract invoice.pdf --schema invoice --engine llm --model openai:gpt-4o-mini": 1,
    "docsieve schemas check wrong.json": 1,
    # A receipt that needs review.
    "docsieve extract scans/ --schema receipt -o out.xlsx --strict": 3,
    # A cascade needs a model, and none is configured here.
    "docsieve projects set default --schema invoice --engine cascade --threshold 0.8 --budget 50": 1,
}


@pytest.fixture(scope="module")
def service(open_folder: Path) -> Iterator[Service]:
    """`docsieve up`, as `make up` runs it."""
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    service = Service(folder, {})
    try:
        service.wait_ready(service.run("up"))
        yield service
    finally:
        service.stop()


@pytest.fixture
def shell(service: Service, open_folder: Path) -> Iterator[Shell]:
    """In an empty folder. Project defaults that a page sets are reset afterwards."""
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    yield Shell(service, folder)
    nothing = dict.fromkeys(ProjectUpdate.model_json_schema()["properties"])
    service.client.patch("/projects/default", json=nothing).raise_for_status()


def follow(shell: Shell, page: str, wanted: Callable[[Block], bool] = lambda _: True) -> None:
    """Run all commands of the page in order, and compare the outputs it shows with theirs."""
    outputs: list[str] = []
    for block in filter(wanted, blocks(page)):
        if block.is_commands:
            outputs += run_all(shell, page, block.commands())
        elif block.is_output and "RENEW_PRINTED" in os.environ:
            renew(page, block, outputs)
        elif block.is_output:
            shown = "\n".join(outputs[-3:])
            assert any(map(printed(block).search, outputs)), f"{page}:{block.start}\n{block.text}\nis not in\n{shown}"
    assert shell.problems == EXPECTED_PROBLEMS.get(page, [])


def run_all(shell: Shell, page: str, commands: Sequence[str]) -> Iterator[str]:
    for command in commands:
        code, output = shell.run(command)
        assert code == EXPECTED_EXITS.get(command, 0), f"{page}: {command}\n{output}"
        yield re.sub(r"[ \t]+$", "", output, flags=re.MULTILINE)


def test_the_first_use_in_the_readme_works_as_printed(shell: Shell) -> None:
    shutil.copytree(SAMPLES, shell.folder / "samples" / "documents")
    follow(shell, "README.md", lambda block: block.section in README_SECTIONS)


def test_the_api_guide_works_as_printed(shell: Shell) -> None:
    _upload_two_invoices(shell)
    follow(shell, "docs/api.md")


@pytest.mark.slow
def test_the_extraction_page_works_as_printed(shell: Shell) -> None:
    _upload_two_invoices(shell)
    shutil.copy(INVOICE, shell.folder / "invoice.pdf")
    follow(shell, "docs/extraction.md")


@pytest.mark.slow
def test_extraction_on_the_command_line_works_as_printed(shell: Shell) -> None:
    for folder, name in (("receipts", "a.txt"), ("scans", "b.txt")):
        (shell.folder / folder).mkdir()
        (shell.folder / folder / name).write_text(RECEIPT)
    (shell.folder / "in").mkdir()
    for target in ("in/invoice.pdf", "invoice.pdf", "contract.pdf"):
        shutil.copy(INVOICE, shell.folder / target)
    shutil.make_archive(str(shell.folder / "march"), "zip", shell.folder, "in")
    (shell.folder / "wanted.json").write_text('{"type": "object", "properties": {"total": {"type": "number"}}}')
    follow(shell, "docs/extract.md")


@pytest.mark.slow
def test_the_schemas_page_works_as_printed(shell: Shell) -> None:
    """The files that the commands use are the ones shown on the page."""
    shown = {
        language: [block.text for block in blocks("docs/schemas.md") if block.language == language]
        for language in ("json", "csv", "python")
    }
    wrong = {"type": "object", "properties": {"total": {"type": "number", "minimum": "0"}}, "required": ["sum"]}
    (shell.folder / "shop").mkdir()
    files = {
        "order.json": shown["json"][0],
        "fields.csv": shown["csv"][0],
        "example.json": json.dumps(json.loads(shown["json"][2])["example"]),
        "shop/models.py": shown["python"][0],
        "customs.txt": json.loads(shown["json"][3])["template"],
        "wrong.json": json.dumps(wrong),
    }
    for name, text in files.items():
        (shell.folder / name).write_text(text)
    follow(shell, "docs/schemas.md")


@pytest.mark.slow
def test_the_quality_page_works_as_printed(shell: Shell) -> None:
    folder = shell.folder / "set"
    folder.mkdir()
    (folder / "a.txt").write_text(RECEIPT)
    truth = {"merchant": "Corner Books Ltd", "receipt_number": "4711", "date": "2026-03-14", "total": 33}
    (folder / "ground_truth.jsonl").write_text(json.dumps({"file": "a.txt", "fields": truth}))
    shell.variables["FOLDER"] = str(folder)
    assert shell.run("docsieve schemas show receipt > receipt-2.json")[0] == 0
    follow(shell, "docs/quality.md")


@pytest.mark.slow
def test_the_page_about_batches_works_as_printed(shell: Shell) -> None:
    _upload_two_invoices(shell)
    follow(shell, "docs/batches.md")


@pytest.mark.slow
def test_the_page_about_retention_works_as_printed(shell: Shell) -> None:
    _upload_two_invoices(shell)
    follow(shell, "docs/retention.md")


@pytest.mark.slow
def test_the_commands_about_encryption_work_as_printed(shell: Shell) -> None:
    shell.variables["DOCSIEVE_API_KEY"] = ADMIN_KEY
    follow(shell, "docs/operations.md", lambda block: block.section == "Encryption of files")


PAGES = (
    "README.md",
    *(f"docs/{name}.md" for name in ("api", "batches", "extraction", "extract", "retention", "schemas", "quality")),
)


@pytest.mark.parametrize("page", PAGES)
def test_every_block_holds_commands_or_an_output_or_names_its_language(page: str) -> None:
    """Any other block would be compared with unrelated outputs."""
    for block in blocks(page):
        assert block.language or block.is_commands or block.text.startswith(OUTPUTS), f"{page}:{block.start}"


def test_no_other_page_prints_an_output() -> None:
    """Outputs on pages that are not followed would never be compared with anything."""
    others = {str(page.relative_to(ROOT)) for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))} - {*PAGES}
    printing = [f"{page}:{block.start}" for page in sorted(others) for block in blocks(page) if block.is_output]
    assert printing == []


def _upload_two_invoices(shell: Shell) -> None:
    """Set up what these pages assume: two documents, a job and two extractions."""
    (shell.folder / "invoice.txt").write_text("Invoice 4711\nTotal 12.50 EUR\n")
    (shell.folder / "letter.txt").write_text("Discharge letter\nPatient: Ada Quill\n")
    (shell.folder / "laboratory.txt").write_text("Laboratory report\nGlucose: 5.4 mmol/l\n")
    for names in (("DOC", "JOB", "ID"), ("SECOND", "SECOND_JOB", "OTHER")):
        sent = shell.service.upload(b"Invoice 4711\nTotal 12.50 EUR\n", "invoice.txt", schema="invoice").json()
        shell.settle(sent["id"])
        extraction = shell.service.status(sent["id"])["extraction"]["id"]
        shell.variables |= dict(zip(names, (sent["id"], sent["processing_job_id"], extraction), strict=True))
    shell.variables["DOCSIEVE_API_KEY"] = ADMIN_KEY
    for line in blocks("docs/api.md").__next__().commands():
        shell.run(line)
