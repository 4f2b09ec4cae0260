"""Outcomes of extractions as rows, one for each leaf."""

from collections.abc import Sequence
from uuid import UUID

from pydantic import TypeAdapter

from docsieve.db.connection.session import Session
from docsieve.db.extractions import fields as field_rows
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.fields import NewField
from docsieve.db.extractions.rows import Extraction, NewExtraction
from docsieve.domain.extraction import ExtractionOutcome, LeafMetadata, MissingDocument, Result
from docsieve.domain.jobs import JobFailure
from docsieve.domain.schemas.shape import leaves

_metadata = TypeAdapter(dict[str, LeafMetadata])


async def record(
    session: Session,
    extraction: Extraction | NewExtraction,
    outcome: ExtractionOutcome | JobFailure,
    *,
    job_id: UUID,
    attempt: int,
    missing: Sequence[MissingDocument] = (),
) -> None:
    """Write the result with a row for each leaf, or why there is none. Does nothing if the extraction was deleted."""
    if isinstance(outcome, JobFailure):
        await extractions.fail(session, extraction.id, outcome, job_id=job_id, attempt=attempt)
    elif await extractions.complete(session, extraction.id, outcome, job_id=job_id, attempt=attempt, missing=missing):
        rows = _rows(outcome.result, extraction)
        await field_rows.add(session, extraction.id, extraction.project_id, rows)


def _rows(result: Result, extraction: Extraction | NewExtraction) -> list[NewField]:
    known = {str(each): each for each in extraction.documents}
    rows = []
    for path, value in leaves(result.value):
        about = result.metadata[path]
        proven_by = (known[each.document_id] for each in about.evidence if each.document_id in known)
        rows.append(NewField(path, value, about, next(proven_by, extraction.documents[0])))
    return rows


def doubtful_paths(extraction: Extraction) -> set[str]:
    """The leaves that needed review when the extraction was written."""
    found = _metadata.validate_python(extraction.metadata or {})
    return {path for path, leaf in found.items() if leaf.needs_review}
