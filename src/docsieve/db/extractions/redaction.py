"""Takes what came from deleted documents out of extractions that have other documents too."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from docsieve.db.connection.session import Session


async def shared(session: Session, document_ids: Sequence[UUID]) -> list[UUID]:
    """Extractions over these documents and others, locked until the transaction ends."""
    rows = await session.connection.fetch(
        """
        select id from extractions
        where tenant_id = $1 and id in (
            select extraction_id from extraction_documents as its
            where its.tenant_id = $1 and its.document_id = any($2::uuid[]))
          and exists (select from extraction_documents as other
            where other.tenant_id = $1 and other.extraction_id = extractions.id
              and other.document_id <> all($2::uuid[]))
        order by id for update
        """,
        session.scope.tenant_id,
        list(document_ids),
    )
    return [row[0] for row in rows]


async def replace(
    session: Session,
    extraction_id: UUID,
    *,
    value: Any,
    metadata: Mapping[str, Any] | None,
    missing: Sequence[Mapping[str, Any]],
) -> None:
    """Write the rest of the result, and a neutral message for an error, which may name a document."""
    await session.connection.execute(
        """
        update extractions set value = $3, metadata = $4, missing = $5,
            error_message = case when error_code is not null then 'A document of this extraction was deleted.' end
        where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        extraction_id,
        json.dumps(value) if value is not None else None,
        json.dumps(metadata) if metadata is not None else None,
        json.dumps(list(missing)),
    )


async def keep_fields(session: Session, extraction_id: UUID, kept: Mapping[str, Mapping[str, Any]]) -> None:
    """Keep the rows and corrections of these leaves with this metadata, and delete those of all others.

    A row belongs to the document of its first evidence.
    """
    arguments = (session.scope.tenant_id, extraction_id, list(kept))
    await session.connection.execute("select forget_corrections($1, $2, $3::text[])", *arguments)
    await session.connection.execute(
        "delete from document_fields where tenant_id = $1 and extraction_id = $2 and path <> all($3::text[])",
        *arguments,
    )
    await session.connection.execute(
        """
        update document_fields as its set evidence = left_over.evidence, doubts = left_over.doubts, why = left_over.why,
            document_id = coalesce((left_over.evidence #>> '{0,document_id}')::uuid, its.document_id)
        from unnest($3::text[], $4::jsonb[], $5::jsonb[], $6::text[]) as left_over (path, evidence, doubts, why)
        where tenant_id = $1 and extraction_id = $2 and its.path = left_over.path
          and (its.evidence <> left_over.evidence or its.doubts <> left_over.doubts)
        """,
        *arguments,
        [json.dumps(each["evidence"]) for each in kept.values()],
        [json.dumps(each["doubts"]) for each in kept.values()],
        [each["why"] for each in kept.values()],
    )
