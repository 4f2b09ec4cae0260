"""Archives and their entries: how far one is unpacked, what became of each entry, and the documents made of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class ArchiveState:
    """`entries` is the number of the next one. The sums are over all archives with the same root."""

    entries: int
    unpacked_bytes: int
    family_bytes: int
    family_documents: int
    priority: int

    def after(self, *, entries: int, unpacked_bytes: int, documents: int) -> "ArchiveState":
        """After a slice with so many entries, which is not recorded yet."""
        return replace(
            self,
            entries=self.entries + entries,
            unpacked_bytes=self.unpacked_bytes + unpacked_bytes,
            family_bytes=self.family_bytes + unpacked_bytes,
            family_documents=self.family_documents + documents,
        )


@dataclass(frozen=True, slots=True)
class EntryRow:
    number: int
    path: str
    verdict: str
    code: str | None
    size: int | None
    document_id: UUID | None


@dataclass(frozen=True, slots=True)
class KnownChild:
    """A document that an entry became; `listed` if an entry of the current unpacking already refers to it."""

    id: UUID
    path: str
    sha256: str
    listed: bool


# The root is that of the nearest archive above: between two archives there may be a mail.
_BEGIN = """
with recursive above as (
    select parent_id, 1 as distance from documents where tenant_id = $1 and id = $2
    union all
    select documents.parent_id, distance + 1 from documents join above on documents.id = above.parent_id
    where documents.tenant_id = $1)
insert into archives (document_id, tenant_id, project_id, root_id)
select id, tenant_id, project_id, coalesce(
    (select root_id from above join archives on archives.document_id = above.parent_id order by distance limit 1), id)
from documents where tenant_id = $1 and id = $2
on conflict do nothing
"""

_STATE = """
select its.entries, its.unpacked_bytes, family.bytes, family.documents,
       (select priority from jobs where tenant_id = $1 and id = $3)
from archives as its, lateral (
    select coalesce(sum(unpacked_bytes), 0)::bigint as bytes, coalesce(sum(created), 0)::bigint as documents
    from archives where tenant_id = $1 and root_id = its.root_id) as family
where its.tenant_id = $1 and its.document_id = $2
"""


async def begin(session: Session, archive_id: UUID) -> None:
    """Does nothing if the archive was begun before."""
    await session.connection.execute(_BEGIN, session.scope.tenant_id, archive_id)


async def state(session: Session, archive_id: UUID, job_id: UUID) -> ArchiveState:
    row = await session.connection.fetchrow(_STATE, session.scope.tenant_id, archive_id, job_id)
    assert row is not None, "an archive is begun before it is unpacked"
    return ArchiveState(*row)


async def known_children(session: Session, archive_id: UUID, hashes: Collection[str]) -> list[KnownChild]:
    """The documents that entries with this content became, now or when the archive was unpacked before.

    By content, which has an index; their paths would be compared with those of all children of the archive.
    """
    rows = await session.connection.fetch(
        """
        select id, parent_path, sha256, exists (
            select from archive_entries where archive_id = $2 and archive_entries.document_id = documents.id)
        from documents where tenant_id = $1 and sha256 = any($3::text[]) and parent_id = $2
        """,
        session.scope.tenant_id,
        archive_id,
        sorted(hashes),
    )
    return [KnownChild(*row) for row in rows]


async def record_entries(
    session: Session, archive_id: UUID, rows: Sequence[EntryRow], *, unpacked_bytes: int, incomplete: str | None
) -> None:
    """Add the entries of a slice and count them."""
    await session.connection.execute(
        """
        insert into archive_entries (archive_id, number, tenant_id, project_id, path, verdict, code, size, document_id)
        select $2, entry.number, $1, archives.project_id, entry.path, entry.verdict, entry.code, entry.size,
               entry.document_id
        from archives, unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::uuid[])
            as entry (number, path, verdict, code, size, document_id)
        where archives.tenant_id = $1 and archives.document_id = $2
        """,
        session.scope.tenant_id,
        archive_id,
        [row.number for row in rows],
        [row.path for row in rows],
        [row.verdict for row in rows],
        [row.code for row in rows],
        [row.size for row in rows],
        [row.document_id for row in rows],
        timeout=BULK_SECONDS,
    )
    counts = dict.fromkeys(("created", "skipped", "unsupported_type", "refused"), 0)
    for row in rows:
        counts[row.verdict] += 1
    await session.connection.execute(
        """
        update archives set entries = entries + $3, created = created + $4, skipped = skipped + $5,
            unsupported_type = unsupported_type + $6, refused = refused + $7, unpacked_bytes = unpacked_bytes + $8,
            incomplete = $9
        where tenant_id = $1 and document_id = $2
        """,
        session.scope.tenant_id,
        archive_id,
        len(rows),
        *counts.values(),
        unpacked_bytes,
        incomplete,
    )


async def locked_by(session: Session, archive_id: UUID) -> str | None:
    """Why no entry could be opened, if the reason is a password: the code of the first refused entry."""
    code: str | None = await session.connection.fetchval(
        """
        select (select code from archive_entries
                where archive_id = $2 and verdict = 'refused' order by number limit 1)
        from archives
        where tenant_id = $1 and document_id = $2 and created = 0 and unsupported_type = 0 and refused > 0
          and not exists (
            select from archive_entries where archive_id = $2 and verdict = 'refused'
              and code not in ('password_required', 'password_wrong'))
        """,
        session.scope.tenant_id,
        archive_id,
    )
    return code


async def list_entries(
    session: Session, archive_id: UUID, *, verdict: str | None, after: int, limit: int
) -> list[EntryRow]:
    """In the order of the archive."""
    rows = await session.connection.fetch(
        """
        select number, path, verdict, code, size, document_id from archive_entries
        where tenant_id = $1 and archive_id = $2 and ($3::text is null or verdict = $3) and number > $4::bigint
        order by number limit $5
        """,
        session.scope.tenant_id,
        archive_id,
        verdict,
        after,
        limit,
    )
    return [EntryRow(*row) for row in rows]


async def forget(session: Session, ids: Sequence[UUID]) -> None:
    """Forget what became of the entries, so that the archives are unpacked from the start. Their documents remain."""
    for table, column in (("archive_entries", "archive_id"), ("archives", "document_id")):
        await session.connection.execute(
            f"delete from {table} where tenant_id = $1 and {column} = any($2::uuid[])",
            session.scope.tenant_id,
            list(ids),
            timeout=BULK_SECONDS,
        )
