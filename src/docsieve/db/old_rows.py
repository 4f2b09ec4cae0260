"""Deletes old rows in statements of limited size, or counts them for a dry run."""

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS


async def delete_or_count(connection: Connection, table: str, which: str, *arguments: object, dry_run: bool) -> int:
    """`which` is the rest of a query on the table, from its conditions to its limit."""
    return await change_or_count(connection, f"delete from {table}", table, which, *arguments, dry_run=dry_run)


async def change_or_count(
    connection: Connection, statement: str, table: str, which: str, *arguments: object, dry_run: bool
) -> int:
    """As `delete_or_count`, for a statement without its conditions."""
    if dry_run:
        found: int = await connection.fetchval(
            f"select count(*) from (select from {table} {which}) as old", *arguments, timeout=BULK_SECONDS
        )
        return found
    status: str = await connection.execute(
        f"{statement} where ctid = any(array(select ctid from {table} {which}))", *arguments, timeout=BULK_SECONDS
    )
    return int(status.split()[-1])
