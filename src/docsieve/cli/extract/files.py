"""Output files of `docsieve extract`: JSON, CSV or XLSX, written atomically."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from docsieve.cli.extract.outcomes import FileOutcome, as_json
from docsieve.domain.schemas.fields import Schema
from docsieve.errors import Invalid
from docsieve.tables.cells import Proof
from docsieve.tables.columns import Column
from docsieve.tables.csv_file import CsvFile
from docsieve.tables.files import SingleFile, TablesFile
from docsieve.tables.layout import Layout, Record
from docsieve.tables.workbook import Workbook

_ABOUT = (Column("file"), Column("status"), Column("confidence", "share"), Column("error"))
_KEYS = 1  # the rows of a list name their file


def json_text(outcomes: Sequence[FileOutcome], *, evidence: bool) -> str:
    return json.dumps([as_json(each, evidence=evidence) for each in outcomes], ensure_ascii=False, indent=2) + "\n"


def csv_content(outcomes: Sequence[FileOutcome], schema: Schema, *, evidence: bool, bom: bool) -> bytes:
    """One row per document. A list is written as JSON in its cell."""
    layout = Layout.of([schema], about=_ABOUT, keys=_KEYS, lists="json", evidence=evidence)
    return _whole(SingleFile(layout, lambda columns: CsvFile(columns, bom=bom)), outcomes)


def workbook(outcomes: Sequence[FileOutcome], schema: Schema, *, evidence: bool) -> bytes:
    """A sheet of documents, and one sheet per list with the rows of all documents."""
    layout = Layout.of([schema], about=_ABOUT, keys=_KEYS, lists="sheets", evidence=evidence)
    return _whole(Workbook(layout, title="documents"), outcomes)


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """The file gets its name only when it is complete."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.writelines(pieces)
        part.replace(path)
    except OSError as error:
        raise Invalid(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)


def _whole(file: TablesFile, outcomes: Sequence[FileOutcome]) -> bytes:
    written = [file.write([_record(each) for each in outcomes]), *file.finish()]
    file.close()
    return b"".join(written)


def _record(outcome: FileOutcome) -> Record:
    failure = f"{outcome.code}: {outcome.reason}" if outcome.code is not None else None
    about = [outcome.file, outcome.status, outcome.confidence, failure]
    if outcome.result is None:
        return Record(about, None)
    return Record(about, outcome.result.value, dict(_proofs(outcome)))


def _proofs(outcome: FileOutcome) -> Iterator[tuple[str, Proof]]:
    assert outcome.result is not None
    for path, known in outcome.result.metadata.items():
        yield path, Proof.of(known.confidence, [asdict(each) for each in known.evidence])
