"""`docsieve keys`: list, create and revoke API keys directly in the database."""

import re
import sys
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from docsieve.api.wire.keys import KeyCreate, KeyRead
from docsieve.cli.console.options import AsJson, OfTenant, print_json
from docsieve.cli.console.tables import show_empty, show_table
from docsieve.cli.server import operator
from docsieve.db.access import keys
from docsieve.db.access.keys import ApiKey
from docsieve.db.connection.session import Database
from docsieve.services.access import keys as service
from docsieve.services.access.tenants import DEFAULT

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Manage the API keys of a tenant directly in the database."
)

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_LONGEST = timedelta(days=100 * 366)


def _span(text: str) -> timedelta:
    match = re.fullmatch(r"([1-9]\d{0,5})([mhdw])", text)
    span = timedelta(**{_UNITS[match[2]]: int(match[1])}) if match else None
    if span is None or span > _LONGEST:
        raise typer.BadParameter(f"{text!r}: use a duration such as 90m, 12h, 30d or 8w")
    return span


@app.command("list")
def list_keys(tenant: OfTenant = DEFAULT, as_json: AsJson = False) -> None:
    """List all keys of a tenant by ID. The keys themselves are not stored."""

    async def work(database: Database) -> list[ApiKey]:
        async with operator.as_tenant(database, tenant) as session:
            return await keys.list_all(session)

    found = operator.run(work)
    if as_json:
        return print_json(map(KeyRead.model_validate, found))
    if not found:
        return show_empty("keys")
    return show_table(
        ["id", "name", "scopes", "project", "state", "created"],
        [(each.id, each.name, each.scopes, each.project or "all", _state(each), each.created_at) for each in found],
        whole=["id"],
    )


def _state(key: ApiKey) -> str:
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is None:
        return "valid"
    expired = key.expires_at <= datetime.now(UTC)
    return f"{'expired' if expired else 'valid until'} {key.expires_at.astimezone():%Y-%m-%d %H:%M}"


@app.command("create")
def create_key(
    tenant: OfTenant = DEFAULT,
    name: Annotated[str, typer.Option(help="What the key is for.")] = "command line",
    scope: Annotated[
        list[str] | None, typer.Option(help="read, write or admin. Can be repeated. Defaults to admin.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="Restrict the key to this project.")] = None,
    expires_in: Annotated[
        timedelta | None,
        typer.Option(
            parser=_span, metavar="SPAN", help="Lifetime, such as 90m, 12h, 30d or 8w. Defaults to no expiry."
        ),
    ] = None,
) -> None:
    """Create a key and print only the key on stdout: `export DOCSIEVE_API_KEY=$(docsieve keys create)`."""
    expires_at = datetime.now(UTC) + expires_in if expires_in is not None else None
    wanted = operator.checked(KeyCreate, name=name, scopes=scope or ["admin"], project=project, expires_at=expires_at)

    async def work(database: Database) -> tuple[ApiKey, str]:
        async with operator.as_tenant(database, tenant) as session:
            return await service.issue(session, **dict(wanted))

    made, presented = operator.run(work)
    where = f"project {made.project}" if made.project else "all projects"
    until = f"until {made.expires_at.astimezone():%Y-%m-%d %H:%M}" if made.expires_at else "until it is revoked"
    scopes = ", ".join(made.scopes)
    print(f"Key {made.id} of tenant {tenant}: {scopes} in {where}, {until}. It is shown only once:", file=sys.stderr)
    print(presented)


@app.command("revoke")
def revoke_key(
    id: Annotated[str, typer.Argument(help="ID of the key: the middle part of ds_<id>_…")], tenant: OfTenant = DEFAULT
) -> None:
    """Revoke a key. Takes effect with the next request."""

    async def work(database: Database) -> None:
        async with operator.as_tenant(database, tenant) as session:
            await service.revoke(session, id)

    operator.run(work)
    print(f"Key {id} revoked.")
