"""Sample documents that ship with the product, for trying it out on an empty database."""

import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from importlib import resources as packaged

from docsieve.db.access.keys import Holder
from docsieve.db.documents import rows as documents
from docsieve.db.documents import samples
from docsieve.db.documents.rows import Document
from docsieve.domain.scope import Scope
from docsieve.errors import UnknownSample
from docsieve.resources import Resources
from docsieve.services import intake
from docsieve.services.access.tenants import DEFAULT
from docsieve.services.intake import UploadOptions


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    title: str
    filename: str
    media_type: str
    schema_ref: str
    description: str

    def content(self) -> bytes:
        return (packaged.files("docsieve") / "samples" / self.filename).read_bytes()


SAMPLES = {
    sample.name: sample
    for sample in (
        Sample(
            "invoice",
            "An invoice",
            "invoice-NL-2026-0417.pdf",
            "application/pdf",
            "invoice",
            "A PDF with text: a table of line items, totals and bank details.",
        ),
        Sample(
            "receipt",
            "A scanned receipt",
            "receipt-harbour-market.jpg",
            "image/jpeg",
            "receipt",
            "A photo of a store receipt, read by OCR.",
        ),
        Sample(
            "medical-report",
            "A medical report",
            "discharge-letter.pdf",
            "application/pdf",
            "medical-report",
            "A discharge letter of two pages, with diagnoses, medication and laboratory values.",
        ),
        Sample(
            "contract",
            "A contract",
            "service-agreement.pdf",
            "application/pdf",
            "contract",
            "A service agreement with its parties, term, fees and signatures.",
        ),
    )
}


async def add(
    resources: Resources, holder: Holder, *, names: Sequence[str] | None, project: str | None
) -> list[Document]:
    """Upload samples as the caller, each with its schema. One that the project already has is not added again.

    Raises UnknownSample or UnknownProject before anything is added.
    """
    chosen = list(SAMPLES) if names is None else list(dict.fromkeys(names))
    for name in chosen:
        if name not in SAMPLES:
            raise UnknownSample(f"Sample {name} not found.")
    target = project or holder.project or DEFAULT
    return [await _add(resources, holder, SAMPLES[name], target) for name in chosen]


async def _add(resources: Resources, holder: Holder, sample: Sample, project: str) -> Document:
    scope = Scope(holder.tenant_id, holder.project_id)
    content = sample.content()
    sha256 = hashlib.sha256(content).hexdigest()
    present = await _present(resources, scope, project, sha256)
    if present is not None:
        return present
    return await intake.upload(
        resources,
        scope,
        sample.filename,
        _single_chunk(content),
        lambda: UploadOptions(project=project, schema_ref=sample.schema_ref),
        api_key=holder.key_id,
        # two simultaneous requests get the same document
        idempotency_key=f"sample/{project}/{sample.name}/{sha256[:16]}",
    )


async def _present(resources: Resources, scope: Scope, project: str, sha256: str) -> Document | None:
    async with resources.database.tenant(scope) as session:
        document_id = await samples.find(session, project, sha256)
        return await documents.find(session, document_id) if document_id is not None else None


async def _single_chunk(content: bytes) -> AsyncIterator[bytes]:
    yield content
