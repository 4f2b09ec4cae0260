"""`docsieve audit`: list, export, verify and prune the audit log directly in the database."""

import asyncio
import sys
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from docsieve.api.wire.audit import AuditEntryRead
from docsieve.cli.console.options import AsJson, OfTenant, print_json
from docsieve.cli.console.tables import show_empty, show_table
from docsieve.cli.server import operator
from docsieve.db.access import tenants
from docsieve.db.audit import log
from docsieve.db.audit.log import AuditFilter
from docsieve.db.connection.session import Database
from docsieve.domain.audit import COMMAND_LINE, Entry
from docsieve.domain.scope import Scope
from docsieve.errors import Invalid, NotFound
from docsieve.services.access.tenants import DEFAULT
from docsieve.services.audit import chain, export, prune
from docsieve.services.audit.chain import Verdict

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="List, export, verify and prune the audit log directly in the database.",
)

Actor = Annotated[str | None, typer.Option(help="ID of a key, or name of a rule.")]
ActionName = Annotated[str | None, typer.Option("--action", help="Such as document.deleted.")]
ObjectId = Annotated[str | None, typer.Option("--object", help="ID of a document, key, extraction, …")]
Since = Annotated[datetime | None, typer.Option(help="Only entries from this time on, in UTC.")]
Until = Annotated[datetime | None, typer.Option(help="Only entries before this time, in UTC.")]


class Format(StrEnum):
    csv = "csv"
    jsonl = "jsonl"


def _filter(
    actor: str | None, action: str | None, object_id: str | None, since: datetime | None, until: datetime | None
) -> AuditFilter:
    return AuditFilter(actor, action, None, object_id, _utc(since), _utc(until))


def _utc(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment is not None else None


@app.command("list")
def list_entries(
    tenant: OfTenant = DEFAULT,
    actor: Actor = None,
    action: ActionName = None,
    object_id: ObjectId = None,
    since: Since = None,
    until: Until = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of entries.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List what was done, newest first."""
    wanted = _filter(actor, action, object_id, since, until)

    async def work(database: Database) -> list[Entry]:
        async with operator.as_tenant(database, tenant) as session:
            return await log.list_page(session, wanted, limit=limit)

    found = operator.run(work)
    if as_json:
        return print_json(map(AuditEntryRead.of, found))
    if not found:
        return show_empty("entries")
    rows = [
        (each.number, each.at, _who(each), each.remote_address, each.action, each.object_id, each.details)
        for each in found
    ]
    return show_table(["number", "at", "who", "from", "action", "object", "details"], rows, whole=["number", "object"])


def _who(entry: Entry) -> str:
    return " ".join(each for each in (entry.actor_kind, entry.actor_id, entry.actor_name) if each)


@app.command("export")
def export_entries(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write. Defaults to stdout.")] = None,
    format: Annotated[Format, typer.Option(help="Kind of file.")] = Format.jsonl,
    tenant: OfTenant = DEFAULT,
    actor: Actor = None,
    action: ActionName = None,
    object_id: ObjectId = None,
    since: Since = None,
    until: Until = None,
) -> None:
    """Write the log to a file, oldest entries first. The export itself is recorded in the log."""
    wanted = _filter(actor, action, object_id, since, until)

    async def work(database: Database, file: BinaryIO) -> None:
        scope = Scope((await operator.find_tenant(database, tenant)).id, actor=COMMAND_LINE)
        async for chunk in await export.start(database, scope, wanted, format.value):
            await asyncio.to_thread(file.write, chunk)

    if output is None:
        return operator.run(lambda database: work(database, sys.stdout.buffer))
    try:
        with output.open("wb") as file:
            return operator.run(lambda database: work(database, file))
    except OSError as error:
        raise Invalid(f"{output} cannot be written: {error.strerror}.") from error


@app.command("verify")
def verify(
    tenant: Annotated[str | None, typer.Option(help="Only this tenant. Defaults to all.")] = None,
    expect: Annotated[
        str | None,
        typer.Option(
            metavar="HASH",
            help="A hash of this tenant's log that was noted before, such as the head that GET /audit returns. Without"
            " it, entries cut off at the end cannot be noticed.",
        ),
    ] = None,
) -> None:
    """Check the chain of hashes. Names the first entry that is missing or was altered, and then exits with 1."""
    if expect is not None and tenant is None:
        raise Invalid("--expect needs --tenant: each tenant has its own log.")
    expected = _hash(expect) if expect is not None else None

    async def work(database: Database) -> dict[str, Verdict]:
        async with database.system() as connection:
            chosen = [each for each in await tenants.list_all(connection) if tenant in (None, each.name)]
            return {each.name: await chain.verify(connection, each.id, expected=expected) for each in chosen}

    found = operator.run(work)
    if tenant is not None and not found:
        raise NotFound(f"Tenant {tenant} not found.")
    rows = [
        (name, each.entries - each.pruned, each.pruned, each.fault or "sound", each.head.hex() or None)
        for name, each in found.items()
    ]
    columns = ["tenant", "sound entries", "pruned", "result", "hash of the last sound entry"]
    show_table(columns, rows, whole=["tenant"])
    if any(each.fault is not None for each in found.values()):
        raise typer.Exit(1)


@app.command("prune")
def prune_entries(
    before: Annotated[datetime, typer.Option(help="Delete entries before this time, in UTC.")],
    tenant: OfTenant = DEFAULT,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would be deleted.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete the oldest entries. An entry with their number and last hash keeps the rest verifiable.

    Refused while anything of the tenant is under legal hold, and for a log that is not sound. Export the log first.
    """
    if not (dry_run or yes):
        typer.confirm(f"Delete all entries of tenant {tenant} before {before:%Y-%m-%d %H:%M} UTC?", abort=True)

    async def work(database: Database) -> int:
        tenant_id = (await operator.find_tenant(database, tenant)).id
        return await prune.prune(
            database, tenant_id, before=before.replace(tzinfo=UTC), by=COMMAND_LINE, dry_run=dry_run
        )

    count = operator.run(work)
    print(f"{count} entries {'would be' if dry_run else 'were'} deleted.")


def _hash(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise Invalid("--expect must be a hash in hexadecimal digits.") from error
