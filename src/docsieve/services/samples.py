"""Sample documents that ship with the product, so that an empty database can show what it would do with real ones."""

import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from importlib import resources as packaged

from docsieve.db import documents, samples
from docsieve.db.access.keys import Holder
from docsieve.db.documents import Document
from docsieve.db.intake import KeyAlreadyUsed
from docsieve.domain.documents import original_key
from docsieve.domain.scope import Scope
from docsieve.errors import DatabaseUnavailable, DocsieveError, Unavailable, UnknownSample
from docsieve.resources import Resources
from docsieve.services import documents as service
from docsieve.services import intake
from docsieve.services.access.tenants import DEFAULT
from docsieve.services.documents import Wishes


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
            "A photo of a till receipt without any text of its own, read by OCR.",
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
    """Upload samples as the caller, each with its schema; one that the project has already is not added again.

    Raises UnknownSample and UnknownProject, and then adds none.
    """
    wanted = list(SAMPLES) if names is None else list(dict.fromkeys(names))
    for name in wanted:
        if name not in SAMPLES:
            raise UnknownSample(f"There is no sample named {name}.")
    target = project or holder.project or DEFAULT
    return [await _add(resources, holder, SAMPLES[name], target) for name in wanted]


async def _add(resources: Resources, holder: Holder, sample: Sample, project: str) -> Document:
    scope = Scope(holder.tenant_id, holder.project_id)
    content = sample.content()
    sha256 = hashlib.sha256(content).hexdigest()
    present = await _present(resources, scope, project, sha256)
    if present is not None:
        return present
    upload = await intake.store(
        resources.blobs, scope.tenant_id, sample.filename, _whole(content), max_bytes=len(content)
    )
    try:
        return await service.accept(
            resources,
            scope,
            upload,
            Wishes(project=project, schema_ref=sample.schema_ref),
            api_key=holder.key_id,
            # of two who ask at once, the second finds it used
            idempotency_key=f"sample/{project}/{sample.name}/{sha256[:16]}",
        )
    except KeyAlreadyUsed:
        await resources.blobs.delete(original_key(scope.tenant_id, upload.document_id))
        present = await _present(resources, scope, project, sha256)
        if present is None:
            raise Unavailable("Another request is adding or deleting this sample; try again.") from None
        return present
    except DatabaseUnavailable:
        raise  # perhaps it was committed, so the bytes stay; if not, the sweep finds them
    except DocsieveError:
        await resources.blobs.delete(original_key(scope.tenant_id, upload.document_id))
        raise


async def _present(resources: Resources, scope: Scope, project: str, sha256: str) -> Document | None:
    async with resources.database.tenant(scope) as session:
        document_id = await samples.find(session, project, sha256)
        return await documents.find(session, document_id) if document_id is not None else None


async def _whole(content: bytes) -> AsyncIterator[bytes]:
    yield content
