"""Data past its time, in all tenants: by the rules of projects, and by the time that an upload named."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from docsieve.db.connection.driver import Connection

Kind = Literal["documents", "originals", "results"]


@dataclass(frozen=True, slots=True)
class Rule:
    """What a project keeps for how many days. `name` is the column that says so."""

    tenant_id: UUID
    project_id: UUID
    kind: Kind
    days: int

    @property
    def name(self) -> str:
        return f"keep_{self.kind}_days"


@dataclass(frozen=True, slots=True)
class Expired:
    """A document or an extraction, with the time it is ordered by."""

    tenant_id: UUID
    id: UUID
    since: datetime


# Of documents that were found in others, only the files expire separately.
_EXPIRED: dict[Kind, str] = {
    "documents": """
        select tenant_id, id, created_at as since from documents
        where project_id = $1 and created_at < clock_timestamp() - make_interval(days => $2) and parent_id is null""",
    "originals": """
        select tenant_id, id, created_at as since from documents
        where project_id = $1 and created_at < clock_timestamp() - make_interval(days => $2)
          and original_deleted_at is null and not document_in_progress(status)""",
    "results": """
        select tenant_id, id, completed_at as since from extractions
        where project_id = $1 and completed_at < clock_timestamp() - make_interval(days => $2)
          and status in ('completed', 'failed', 'cancelled')""",
}
_DUE = """
    select tenant_id, id, delete_after as since from documents where delete_after < clock_timestamp()"""


async def rules(connection: Connection) -> list[Rule]:
    rows = await connection.fetch(
        """
        select tenant_id, id, kind, days from projects, lateral (values
            ('documents', keep_documents_days), ('originals', keep_originals_days), ('results', keep_results_days))
            as kept (kind, days)
        where days is not null order by tenant_id, id, kind
        """
    )
    return [Rule(*row) for row in rows]


async def by_rule(connection: Connection, rule: Rule, *, after: Expired | None, limit: int) -> list[Expired]:
    """The next ones after `after`, oldest first."""
    rows = await connection.fetch(
        f"""
        select * from ({_EXPIRED[rule.kind]}) as expired
        where $3::timestamptz is null or (since, id) > ($3, $4::uuid) order by since, id limit $5
        """,
        rule.project_id,
        rule.days,
        after.since if after is not None else None,
        after.id if after is not None else None,
        limit,
    )
    return [Expired(*row) for row in rows]


async def by_request(connection: Connection, *, after: Expired | None, limit: int) -> list[Expired]:
    """Documents whose upload said until when to keep them."""
    rows = await connection.fetch(
        f"""
        select * from ({_DUE}) as due
        where $1::timestamptz is null or (since, id) > ($1, $2::uuid) order by since, id limit $3
        """,
        after.since if after is not None else None,
        after.id if after is not None else None,
        limit,
    )
    return [Expired(*row) for row in rows]
