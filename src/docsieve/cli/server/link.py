"""`docsieve link`: a one-time link into the dashboard, for whoever may reach the database."""

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
    """Ends an earlier link for the same key.

    The token follows the #, which no browser sends to a server: it reaches no log on the way.
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
        typer.Option(help="sign in with this key's rights, by its id; default: an admin of the whole tenant"),
    ] = None,
) -> None:
    """Print a link that signs a browser in, once, within ten minutes. It ends an earlier link for the same key."""
    settings = load_settings()
    made = operator.run(lambda database: new_link(database, settings, tenant=tenant, key_id=key))
    print(f"Works once, within {LINK_MINUTES:.0f} minutes, unless another is made:", file=sys.stderr)
    print(made)
