"""`docsieve link`: create a one-time sign-in link for the dashboard."""

import sys
from typing import Annotated

import typer

from docsieve.cli.console.configuration import load_settings, server_url
from docsieve.cli.console.options import OfTenant
from docsieve.cli.server import operator
from docsieve.db.connection.session import Database
from docsieve.services.access import sessions
from docsieve.services.access.tenants import DEFAULT
from docsieve.settings import Settings

app = typer.Typer(add_completion=False)

LINK_MINUTES = sessions.LINK_SECONDS / 60


async def new_link(database: Database, settings: Settings, *, tenant: str = DEFAULT, key_id: str | None = None) -> str:
    """Invalidates earlier links for the same key.

    The token follows the #, which browsers do not send to servers, so it does not end up in any log.
    """
    owner = await operator.find_tenant(database, tenant)
    async with database.system() as connection, connection.transaction():
        token = await sessions.new_link(connection, owner.id, key_id=key_id)
    return f"{server_url(settings)}/sign-in#link={token}"


@app.command()
def link(
    tenant: OfTenant = DEFAULT,
    key: Annotated[
        str | None,
        typer.Option(help="ID of the key whose rights the session gets. Defaults to an admin of the whole tenant."),
    ] = None,
) -> None:
    """Print a link that signs in a browser once within ten minutes. It invalidates earlier links for the same key."""
    settings = load_settings()
    made = operator.run(lambda database: new_link(database, settings, tenant=tenant, key_id=key))
    print(f"Valid once within {LINK_MINUTES:.0f} minutes, unless a new link is created:", file=sys.stderr)
    print(made)
