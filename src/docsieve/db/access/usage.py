"""What tenants took in per month, next to their quotas."""

from dataclasses import dataclass
from datetime import date

from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class QuotaUsage:
    used: int
    quota: int | None


@dataclass(frozen=True, slots=True)
class Intake:
    documents: QuotaUsage
    bytes: QuotaUsage
    pages: QuotaUsage


async def of_month(session: Session, month: date) -> Intake:
    """Of the session's tenant. A session that is limited to a project sees nothing."""
    row = await session.connection.fetchrow(
        """
        select coalesce(sum(documents), 0)::bigint, coalesce(sum(bytes), 0)::bigint, coalesce(sum(pages), 0)::bigint,
               (quotas ->> 'documents')::bigint, (quotas ->> 'bytes')::bigint, (quotas ->> 'pages')::bigint
        from tenants left join usage_counts as its on its.tenant_id = tenants.id and month = $2
        where tenants.id = $1 group by quotas
        """,
        session.scope.tenant_id,
        month,
    )
    assert row is not None
    return Intake(QuotaUsage(row[0], row[3]), QuotaUsage(row[1], row[4]), QuotaUsage(row[2], row[5]))
