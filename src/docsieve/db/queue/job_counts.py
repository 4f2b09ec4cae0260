"""Adds up the rows that count finished jobs."""

from docsieve.db.connection.driver import Connection

_MANY_ROWS = 100

# Rows that another worker is adding up are skipped. A reader sees the old rows or the new one, never both.
_ADD_UP = """
with added as (
    delete from job_counts where ctid = any(array(
        select ctid from job_counts
        where tenant_id = any(array(
            select tenant_id from job_counts group by tenant_id
            having count(*) > $1 + 2 * count(distinct (project_id, queue, job_type, status))))
        limit $2
        for update skip locked))
    returning *)
insert into job_counts
select tenant_id, project_id, queue, job_type, status, sum(jobs) from added
group by tenant_id, project_id, queue, job_type, status having sum(jobs) <> 0
"""


async def add_up(connection: Connection, *, limit: int = 20_000) -> None:
    """Add up the rows of tenants that have many."""
    await connection.execute(_ADD_UP, _MANY_ROWS, limit)
