"""The packets table and the parts of packets, which are rows of documents."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.domain.packets import Cut, LeftOutPage, PageRange, needs_review


@dataclass(frozen=True, slots=True)
class Packet:
    """The cuts of a document; `revision` is 0 if it has no row yet."""

    document_id: UUID
    project_id: UUID
    page_count: int | None
    media_type: str | None
    cuts: list[Cut] = field(default_factory=list)
    left_out: list[LeftOutPage] = field(default_factory=list)
    revision: int = 0
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    document_id: UUID
    first_page: int
    last_page: int
    filename: str
    status: str
    document_class: str | None
    class_confidence: float | None
    needs_review: bool | None

    @property
    def pages(self) -> PageRange:
        return PageRange(self.first_page, self.last_page)


_PACKET = """
    select documents.id as document_id, documents.project_id, page_count, media_type, first_page is not null as is_part,
           coalesce(cuts, '[]') as cuts, coalesce(left_out, '[]') as left_out, coalesce(revision, 0) as revision
    from documents left join packets on packets.document_id = documents.id
    where documents.tenant_id = $1 and documents.id = $2"""


async def find(session: Session, document_id: UUID) -> Packet | None:
    """The cuts of a document, none if it was never split; None if there is no such document."""
    row = await session.connection.fetchrow(_PACKET, session.scope.tenant_id, document_id)
    return _packet(dict(row)) if row is not None else None


async def lock(session: Session, document_id: UUID) -> Packet | None:
    """Like `find`, for a change of the cuts: others wait until the transaction ends.

    Jobs of the parts are locked before documents, as workers do.
    """
    await session.connection.execute(
        """
        select from jobs where tenant_id = $1 and document_id = any(array(
            select id from documents where tenant_id = $1 and parent_id = $2 and first_page is not null))
        order by id for update
        """,
        session.scope.tenant_id,
        document_id,
    )
    await session.connection.execute(
        "select from documents where tenant_id = $1 and id = $2 for no key update", session.scope.tenant_id, document_id
    )
    return await find(session, document_id)


async def save(session: Session, packet: Packet, cuts: Sequence[Cut], left_out: Sequence[LeftOutPage]) -> None:
    await session.connection.execute(
        """
        insert into packets (document_id, tenant_id, project_id, cuts, left_out) values ($2, $1, $3, $4, $5)
        on conflict (document_id) do update set cuts = excluded.cuts, left_out = excluded.left_out,
            revision = packets.revision + 1, updated_at = clock_timestamp()
        where packets.tenant_id = $1
        """,
        session.scope.tenant_id,
        packet.document_id,
        packet.project_id,
        json.dumps([asdict(cut) for cut in cuts]),
        json.dumps([asdict(page) for page in left_out]),
    )
    await session.connection.execute(
        "update documents set split_needs_review = $3, updated_at = clock_timestamp() where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        packet.document_id,
        needs_review(cuts),
    )


async def forget(session: Session, ids: Sequence[UUID]) -> None:
    """Drop the cuts of documents, both detected and decided ones. Their parts are deleted like any document."""
    await session.connection.execute(
        "delete from packets where tenant_id = $1 and document_id = any($2::uuid[])", session.scope.tenant_id, list(ids)
    )
    await session.connection.execute(
        "update documents set split_needs_review = null where tenant_id = $1 and id = any($2::uuid[])",
        session.scope.tenant_id,
        list(ids),
    )


async def parts(session: Session, ids: Sequence[UUID]) -> list[Part]:
    """The parts of packets, in the order of their pages."""
    rows = await session.connection.fetch(
        """
        select id, first_page, last_page, filename, status, class, class_confidence, needs_review from documents
        where tenant_id = $1 and parent_id = any($2::uuid[]) and first_page is not null order by first_page, last_page
        """,
        session.scope.tenant_id,
        list(ids),
    )
    return [Part(*row) for row in rows]


async def set_ranges(session: Session, ranges: dict[UUID, PageRange]) -> None:
    """Make new children parts: of which pages of their parent."""
    await session.connection.execute(
        """
        update documents set first_page = part.first_page, last_page = part.last_page
        from unnest($2::uuid[], $3::integer[], $4::integer[]) as part (id, first_page, last_page)
        where tenant_id = $1 and documents.id = part.id
        """,
        session.scope.tenant_id,
        list(ranges),
        [pages.first for pages in ranges.values()],
        [pages.last for pages in ranges.values()],
    )


async def metadata_of(session: Session, document_id: UUID) -> dict[str, Any]:
    stored = await session.connection.fetchval(
        "select metadata from documents where tenant_id = $1 and id = $2", session.scope.tenant_id, document_id
    )
    found: dict[str, Any] = json.loads(stored)
    return found


async def is_splitting(session: Session, document_id: UUID) -> bool:
    """Whether a job that writes parts of this packet is unfinished."""
    unfinished: bool = await session.connection.fetchval(
        """
        select exists (select from jobs where tenant_id = $1 and document_id = $2 and job_type = 'split_document'
                       and status in ('scheduled', 'pending', 'processing'))
        """,
        session.scope.tenant_id,
        document_id,
    )
    return unfinished


def _packet(row: dict[str, Any]) -> Packet:
    cuts = [Cut(**{**each, "reasons": tuple(each["reasons"])}) for each in json.loads(row.pop("cuts"))]
    left_out = [LeftOutPage(**each) for each in json.loads(row.pop("left_out"))]
    return Packet(**row, cuts=cuts, left_out=left_out)
