"""Verified extractions as an evaluation set: a ZIP that is written while it is sent, so that memory stays flat."""

import json
import zipfile
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

from docsieve.db.extractions import corrections
from docsieve.db.extractions import documents as extraction_documents
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.documents import DocumentPart
from docsieve.db.extractions.rows import Extraction, ExtractionFilter
from docsieve.domain.audit import Action
from docsieve.domain.documents import original_key
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.scope import Scope
from docsieve.errors import BlobMissing
from docsieve.resources import Resources
from docsieve.services.review.corrections import held_value
from docsieve.tables.sink import Sink

_PAGE = 100
_OLDEST = (1980, 1, 1, 0, 0, 0)  # the earliest moment that a ZIP knows; the same set is the same bytes


async def evaluation_set(resources: Resources, scope: Scope, wanted: ExtractionFilter) -> AsyncIterator[bytes]:
    """`ground_truth.jsonl` with a line `{"file", "fields"}` for each extraction, its documents, and the newest schema.

    An extraction over several documents names them all under `files`. Documents whose bytes are gone are left out.
    """
    async with resources.database.tenant(scope) as session:
        session.audit(Action.dataset_exported, "schema", wanted.schema_name)
    sink = Sink()
    truths: list[str] = []
    newest: Schema | None = None
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as archive:
        before: UUID | None = None
        while found := await _page(resources, scope, wanted, before):
            before = found[-1][0].id
            for extraction, parts, fields in found:
                newest = newest or extraction.spec.schema
                names = {part.id: _name(part) for part in parts}
                try:
                    for part in parts:
                        async for chunk in _document(resources, scope, archive, sink, part, names[part.id]):
                            yield chunk
                except BlobMissing:
                    continue
                truths.append(_truth(list(names.values()), fields))
        _write(archive, "ground_truth.jsonl", "".join(f"{line}\n" for line in truths))
        if newest is not None:
            _write(archive, "schema.json", json.dumps(newest, indent=2, ensure_ascii=False))
    yield sink.take()


async def _page(
    resources: Resources, scope: Scope, wanted: ExtractionFilter, before: UUID | None
) -> list[tuple[Extraction, list[DocumentPart], Any]]:
    """In a separate transaction, so that none is open while documents are sent."""
    whole = []
    async with resources.database.tenant(scope) as session:
        for each in await extractions.list_page(session, wanted, before=before, limit=_PAGE):
            extraction = await extractions.find(session, each.id)
            parts = await extraction_documents.parts(session, each.id)
            if extraction is None:
                continue
            made = await corrections.of_extraction(session, each.id)
            whole.append((extraction, parts, held_value(extraction, made)))
    return whole


async def _document(
    resources: Resources, scope: Scope, archive: zipfile.ZipFile, sink: Sink, part: DocumentPart, name: str
) -> AsyncIterator[bytes]:
    if name in archive.NameToInfo:
        return
    key = original_key(scope.tenant_id, part.id)
    await resources.blobs.size(key)  # an entry that has begun must be finished
    with archive.open(zipfile.ZipInfo(name, _OLDEST), "w", force_zip64=True) as entry:
        async for chunk in resources.blobs.stream(key):
            entry.write(chunk)
            yield sink.take()
    yield sink.take()


def _name(part: DocumentPart) -> str:
    """Unique by the id; what a stranger called it is the end of a plain name, never a path."""
    tail = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in part.filename)[-80:]
    return f"documents/{part.id}-{tail.lstrip('.')}"


def _truth(names: list[str], fields: Any) -> str:
    files = {"file": names[0]} if len(names) == 1 else {"file": names[0], "files": names}
    return json.dumps({**files, "fields": fields}, ensure_ascii=False)


def _write(archive: zipfile.ZipFile, name: str, text: str) -> None:
    archive.writestr(zipfile.ZipInfo(name, _OLDEST), text.encode())
