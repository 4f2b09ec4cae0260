"""The exported parts of an extraction: as the row of a table, and as JSON."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from pydantic_core import from_json

from docsieve.db.connection.session import Session
from docsieve.db.extractions import corrections, exports
from docsieve.db.extractions.corrections import Correction
from docsieve.db.extractions.exports import ExportRow
from docsieve.db.extractions.rows import ExtractionFilter
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import shaped
from docsieve.services.review.corrections import corrected_value, effective, has_values, last_corrections
from docsieve.tables.cells import Proof
from docsieve.tables.columns import Column
from docsieve.tables.layout import Record

ABOUT = (
    Column("id"),
    Column("files"),
    Column("group"),
    Column("status"),
    Column("confidence", "share"),
    Column("needs_review", "boolean"),
    Column("schema"),
    Column("error"),
    Column("missing"),
)
_NONE = "[]"
KEYS = 3
"""How many of those name an extraction in the table of a list: its id, its files and its group."""


class Exported(NamedTuple):
    """A row with the corrections of its fields. `schema` is known only if there are any."""

    row: ExportRow
    made: Sequence[Correction] = ()
    schema: Schema | None = None


async def page(
    session: Session, wanted: ExtractionFilter, *, after: UUID | None, last: UUID, evidence: bool
) -> list[Exported]:
    rows = await exports.page(session, wanted, after=after, last=last, metadata=evidence)
    made = await corrections.of_extractions(session, [each.id for each in rows])
    schemas = await exports.schemas_of(session, list(made)) if made else {}
    return [Exported(each, made.get(each.id, ()), schemas.get(each.id)) for each in rows]


def as_record(exported: Exported) -> Record:
    row = exported.row
    about = [
        str(row.id),
        "; ".join(row.filenames),
        row.group,
        row.status,
        row.confidence,
        row.needs_review,
        _schema_ref(row),
        f"{row.error_code}: {row.error_message}" if row.error_code is not None else None,
        _missing(row),
    ]
    value, proofs = _contents(exported)
    return Record(about, value, proofs)


def as_json(exported: Exported, *, evidence: bool) -> dict[str, Any]:
    row = exported.row
    value, proofs = _contents(exported)
    documents = zip(row.document_ids, row.filenames, strict=True)
    about = {
        "id": str(row.id),
        "documents": [{"id": str(document_id), "filename": name} for document_id, name in documents],
        "group": row.group,
        "status": row.status,
        "confidence": row.confidence,
        "needs_review": row.needs_review,
        "schema": _schema_ref(row),
        "error": {"code": row.error_code, "message": row.error_message} if row.error_code is not None else None,
        "missing": json.loads(row.missing),
        "value": value,
    }
    return {**about, "evidence": {path: each._asdict() for path, each in proofs.items()}} if evidence else about


def _missing(row: ExportRow) -> str | None:
    if row.missing == _NONE:
        return None
    return "; ".join(f"{each['filename']}: {each['code']}" for each in json.loads(row.missing))


def _schema_ref(row: ExportRow) -> str | None:
    return row.schema_name if row.schema_version is None else f"{row.schema_name}@{row.schema_version}"


def _contents(exported: Exported) -> tuple[Any, dict[str, Proof]]:
    """The value with corrections applied, and the proofs of its fields by their paths in it."""
    row = exported.row
    value = _parsed(row.value) if row.value is not None else None
    known = _parsed(row.metadata) if row.metadata is not None else {}
    proofs = {path: Proof.of(each["confidence"], each["evidence"]) for path, each in known.items()}
    fixes = last_corrections(exported.made) if exported.made else {}
    if not fixes or exported.schema is None:
        return value, proofs
    known_values = effective(value, exported.made)
    if row.metadata is not None:
        # A person's value has the place that the person pointed to, and no confidence: no engine found it.
        proofs |= {path: Proof(None, each.page, each.box) for path, each in fixes.items()}
        moved = _kept_paths(shaped(exported.schema, known_values))
        proofs = {new: proofs[old] for old, new in moved if old in proofs}
    return corrected_value(exported.schema, known_values), proofs


def _parsed(text: str) -> Any:
    """Faster than `json.loads`, but refuses half of a surrogate pair."""
    try:
        return from_json(text)
    except ValueError:
        return json.loads(text)


def _kept_paths(value: Any, old: str = "", new: str = "") -> Iterator[tuple[str, str]]:
    """The path of each field before and after list items without any value are removed."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _kept_paths(each, f"{old}.{name}" if old else name, f"{new}.{name}" if new else name)
    elif isinstance(value, list):
        kept = [(index, each) for index, each in enumerate(value) if has_values(each)]
        for number, (index, each) in enumerate(kept):
            yield from _kept_paths(each, f"{old}[{index}]", f"{new}[{number}]")
    else:
        yield old, new
