"""The corpus of archives through a running service: what became of each, next to what `bsdtar` unpacks.

An archive is wrong if it is not final, if it failed for a reason that does not lie in it, if a document has other bytes
than the file that `bsdtar` unpacked, or if `bsdtar` found a file that has neither a document nor a verdict.
"""

import hashlib
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.archive_parts import bsdtar
from rich.console import Console
from rich.table import Table

from docsieve.domain.documents import FINAL
from tests.corpora.manifest import Specimen
from tests.corpora.outcomes import OF_THE_DOCUMENT
from tests.service import Service

EVIL = Path("/tmp/evil.txt")
_SECONDS = 60


@dataclass(frozen=True, slots=True)
class ArchiveOutcome:
    specimen: Specimen
    status: str
    code: str | None
    verdicts: Counter[str]
    reference: int
    wrong: str | None


def send_archives(service: Service, specimens: list[Specimen]) -> list[ArchiveOutcome]:
    program = bsdtar.install()
    sent = [(each, service.upload(each.path.read_bytes(), each.path.name)) for each in specimens]
    outcomes = []
    for specimen, answer in sent:
        if answer.is_client_error:
            code = answer.json()["code"]
            wrong = None if code in OF_THE_DOCUMENT else "refused for a reason that does not lie in it"
            outcomes.append(ArchiveOutcome(specimen, "not accepted", code, Counter(), 0, wrong))
        else:
            outcomes.append(_outcome(service, specimen, answer.json()["id"], program))
    return outcomes


def _outcome(service: Service, specimen: Specimen, document_id: str, program: str) -> ArchiveOutcome:
    state = service.settled(document_id)
    code = state["error"]["code"] if state["error"] else None
    entries = service.client.get(f"/documents/{document_id}/entries", params={"limit": 200}).json()["entries"]
    verdicts = Counter(entry["code"] or entry["verdict"] for entry in entries)
    if state["status"] != "unpacked":
        fine = state["status"] == "ready" or code in OF_THE_DOCUMENT
        wrong = None if fine else "failed for a reason that does not lie in it"
        return ArchiveOutcome(specimen, state["status"], code, verdicts, 0, wrong)
    reference = _reference(program, specimen.path)
    documents = service.client.get("/documents", params={"parent_id": document_id, "limit": 200}).json()["documents"]
    for document in documents:
        service.settled(document["id"])
    wrong = _difference(reference, documents, entries)
    return ArchiveOutcome(specimen, state["status"], code, verdicts, len(reference), wrong)


def _reference(program: str, archive: Path) -> list[str]:
    """The hashes of the files with content that bsdtar unpacks, as far as it gets."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "-xf", str(archive), "-C", folder, "--passphrase", "none"]
        subprocess.run(command, check=False, capture_output=True, timeout=_SECONDS)
        files = [path for path in Path(folder).rglob("*") if path.is_file() and not path.is_symlink()]
        return [hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.stat().st_size]


def _difference(reference: list[str], documents: list[dict[str, Any]], entries: list[dict[str, Any]]) -> str | None:
    paths = Counter(each["archive_path"] for each in documents)
    once = {each["sha256"] for each in documents if paths[each["archive_path"]] == 1}  # bsdtar overwrites the others
    if reference and (strange := once - set(reference)):
        return f"{len(strange)} documents with bytes that bsdtar did not unpack"
    with_verdict = sum(entry["code"] not in ("directory", "empty") for entry in entries)
    if len(reference) > with_verdict:
        return f"bsdtar found {len(reference)} files, and {with_verdict} entries have a verdict"
    return None


def show_archives(console: Console, outcomes: list[ArchiveOutcome]) -> None:
    table = Table(title=f"{len(outcomes)} archives", title_justify="left")
    for column in ("file", "ended as", "bsdtar files", "entries", "wrong"):
        table.add_column(column, overflow="fold")
    for each in sorted(outcomes, key=lambda outcome: outcome.specimen.name):
        ended = each.status if each.code is None else f"{each.status}: {each.code}"
        verdicts = ", ".join(f"{count} {name}" for name, count in each.verdicts.most_common())
        table.add_row(each.specimen.name, ended, str(each.reference), verdicts, each.wrong or "")
    console.print(table)
    wrong = sum(each.wrong is not None for each in outcomes)
    console.print(f"archives that ended as they should: {len(outcomes) - wrong} of {len(outcomes)}")
    console.print(f"files outside of the private folders: {'one' if EVIL.exists() else 'none'}")


def are_good(outcomes: list[ArchiveOutcome]) -> bool:
    return all(each.wrong is None and (each.status in FINAL or each.code) for each in outcomes) and not EVIL.exists()
