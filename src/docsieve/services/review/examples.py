"""What people corrected, accepted and verified, as examples that the local engine can learn a schema from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.extractions import corrections, lessons
from docsieve.db.extractions import documents as extraction_documents
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.corrections import Correction
from docsieve.db.extractions.documents import DocumentPart
from docsieve.db.extractions.rows import Extraction
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.extraction import Spot
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.schemas.fields import Scalar, Schema
from docsieve.services.review.acceptance import last_acts
from docsieve.services.review.corrections import effective, last_corrections

LEARN_AFTER_SECONDS = 5.0
"""A person corrects field after field; what they do within this time is learned at once."""

MAX_EXAMPLES = 200
_MAX_LEAVES = 2_000


class Learn(JobArgs):
    """Learns a tenant's schema from everything that was corrected and verified."""

    job_type = "learn"
    queue = "maintenance"

    schema_name: str


@dataclass(frozen=True, slots=True)
class ExampleDocuments:
    """An extraction to learn from. `known` are the leaves that a person confirmed, `spots` the boxes they drew.

    `whole` says that a person reviewed all of it, so that what `known` lacks is not on the documents.
    """

    documents: Sequence[DocumentPart]
    schema: Schema
    known: dict[str, Scalar]
    spots: dict[str, list[Spot]] = field(default_factory=dict)
    whole: bool = True


async def learn_soon(session: Session, schema_name: str | None) -> None:
    """Learn soon; one job for all corrections that come meanwhile. A schema without a name is not learned."""
    if schema_name is not None:
        job = NewJob(
            Learn(schema_name=schema_name),
            project_id=session.scope.project_id,  # the wall lets no one write what they could not see
            delay_seconds=LEARN_AFTER_SECONDS,
            unique_key=schema_name,
        )
        await enqueue(session, [job])


async def gather(session: Session, schema_name: str) -> list[ExampleDocuments]:
    """The newest, oldest first. Documents that are gone, or were never read, teach nothing."""
    found = []
    for teacher in await lessons.teachers(session, schema_name, limit=MAX_EXAMPLES):
        extraction = await extractions.find(session, teacher.extraction_id)
        parts = await extraction_documents.parts(session, teacher.extraction_id)
        usable = extraction is not None and len(parts) == extraction.document_count
        if extraction is None or not usable or any(part.pages_key is None for part in parts):
            continue
        made = await corrections.of_extraction(session, teacher.extraction_id)
        example = _example(extraction, made, parts, whole=teacher.verified)
        if len(example.known) <= _MAX_LEAVES:
            found.append(example)
    return found


def _example(
    extraction: Extraction, made: Sequence[Correction], parts: Sequence[DocumentPart], *, whole: bool
) -> ExampleDocuments:
    touched, corrected = last_acts(made), last_corrections(made)
    places = {part.id: number for number, part in enumerate(parts)}
    known = {
        path: value for path, value in effective(extraction.value, made).items() if value is not None or path in touched
    }
    if not whole:
        known = {path: value for path, value in known.items() if path in touched}
    spots = {path: _drawn_spot(each, places) for path, each in corrected.items() if path in known}
    return ExampleDocuments(
        parts, extraction.spec.schema, known, {path: some for path, some in spots.items() if some}, whole
    )


def _drawn_spot(drawn: Correction, places: dict[UUID, int]) -> list[Spot]:
    if drawn.box is None or drawn.page is None or drawn.document_id not in places:
        return []
    return [Spot(drawn.page, drawn.box, document=places[drawn.document_id])]
