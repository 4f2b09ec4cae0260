"""The documents that an extraction is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A document as one of those that an extraction is made of; it has pages once it is ready."""

    id: UUID
    status: str
    pages_key: str | None
    language: str | None
    document_class: str | None
    class_confidence: float | None
    media_type: str | None
    filename: str
    size: int
    error_code: str | None


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A document from an archive, and its name inside of it. `unpacked` says that it is an archive with entries too."""

    id: UUID
    archive_id: UUID
    path: str
    unpacked: bool


async def add_documents(
    session: Session, extraction_id: UUID, project_id: UUID, documents: Sequence[UUID], *, after: int = 0
) -> None:
    await session.connection.execute(
        """
        insert into extraction_documents (tenant_id, extraction_id, project_id, document_id, position)
        select $1, $2, $3, document_id, $5 + place
        from unnest($4::uuid[]) with ordinality as given (document_id, place)
        """,
        session.scope.tenant_id,
        extraction_id,
        project_id,
        list(documents),
        after,
    )


async def parts(session: Session, extraction_id: UUID) -> list[DocumentPart]:
    """The documents that are still there, in their order."""
    rows = await session.connection.fetch(
        """
        select documents.id, documents.status, pages_key, language, class, class_confidence, media_type, filename,
            size, documents.error_code
        from extraction_documents as its join documents on documents.id = its.document_id
        where its.tenant_id = $1 and documents.tenant_id = $1 and its.extraction_id = $2 order by position
        """,
        session.scope.tenant_id,
        extraction_id,
    )
    return [DocumentPart(*row) for row in rows]


async def archive_entries(session: Session, extraction_id: UUID) -> list[ArchiveEntry]:
    """The content of the unpacked archives of an extraction, at any depth."""
    rows = await session.connection.fetch(
        """
        with recursive entries as (
            select child.id, child.parent_id, child.parent_path, child.status
            from extraction_documents as its join documents as archive on archive.id = its.document_id
            join documents as child on child.parent_id = archive.id
            where its.tenant_id = $1 and its.extraction_id = $2 and archive.tenant_id = $1 and child.tenant_id = $1
              and archive.status = 'unpacked'
            union all
            select child.id, child.parent_id, child.parent_path, child.status
            from entries join documents as child on child.parent_id = entries.id
            where child.tenant_id = $1 and entries.status = 'unpacked')
        select id, parent_id, parent_path, status = 'unpacked' from entries
        """,
        session.scope.tenant_id,
        extraction_id,
    )
    return [ArchiveEntry(*row) for row in rows]


async def replace_documents(session: Session, extraction_id: UUID, documents: Sequence[UUID]) -> None:
    """Make these the documents of an extraction. Those that were deleted before still count.

    The new ones are added behind the old ones before those go: an extraction is deleted with its last document.
    """
    row = await session.connection.fetchrow(
        """
        select project_id, (select max(position) from extraction_documents as its
                            where its.tenant_id = $1 and its.extraction_id = extractions.id) as last_position
        from extractions where tenant_id = $1 and id = $2 for update
        """,
        session.scope.tenant_id,
        extraction_id,
    )
    if row is None:
        return
    project_id, last = row
    await add_documents(session, extraction_id, project_id, documents, after=last)
    removed = await session.connection.fetch(
        """
        delete from extraction_documents where tenant_id = $1 and extraction_id = $2 and position <= $3
        returning document_id
        """,
        session.scope.tenant_id,
        extraction_id,
        last,
    )
    await session.connection.execute(
        "update extractions set document_count = document_count + $3 where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        extraction_id,
        len(documents) - len(removed),
    )
