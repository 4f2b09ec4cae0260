"""`docsieve link`: a one-time link into the dashboard, for whoever may reach the database."""

import sys
from typing import Annotated

import typer

from docsieve.cli import operator
from docsieve.cli.configuration import load_settings
from docsieve.cli.options import OfTenant
from docsieve.db.session import Database
from docsieve.services import sessions
from docsieve.services.tenants import DEFAULT
from docsieve.settings import Settings

app = typer.Typer(add_completion=False)

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 compared with, not listened on


def address(settings: Settings) -> str:
    """Where a browser on this machine finds the dashboard, unless DOCSIEVE_URL says where others do."""
    if "url" in settings.model_fields_set:
        return settings.url.rstrip("/")
    return f"http://{_EVERYWHERE.get(settings.host, settings.host)}:{settings.port}"


async def new_link(database: Database, settings: Settings, *, tenant: str = DEFAULT, key_id: str | None = None) -> str:
    """The token stands behind the #, which no browser sends to a server: it reaches no log on the way."""
    owner = await operator.find_tenant(database, tenant)
    async with database.system() as connection:
        token = await sessions.new_link(connection, owner.id, key_id=key_id)
    return f"{address(settings)}/sign-in#link={token}"


@app.command()
def link(
    tenant: OfTenant = DEFAULT,
    key: Annotated[
        str | None,
        typer.Option(help="sign in with this key's rights, by its id; default: an admin of the whole tenant"),
    ] = None,
) -> None:
    """Print a link that signs a browser in, once, within the next hour."""
    settings = load_settings()
    made = operator.run(lambda database: new_link(database, settings, tenant=tenant, key_id=key))
    print(f"Works once, for {sessions.LINK_SECONDS / 60:.0f} minutes:", file=sys.stderr)
    print(made)
