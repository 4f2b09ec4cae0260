"""`docsieve backup`: the database and all stored files, while the server runs."""

import asyncio
from typing import Annotated

import typer

from docsieve import logs
from docsieve.blobs.registry import open_store
from docsieve.cli.backup.places import Key, Place, open_key, open_place
from docsieve.cli.backup.view import described, show_backups, shown
from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.options import AsJson, print_json
from docsieve.cli.server.database import connect, database_url
from docsieve.db import backups as sql
from docsieve.db.connection import migrate
from docsieve.db.server.dump import dump
from docsieve.encryption.master_keys import MasterKey
from docsieve.errors.setup import DatabaseOutdated
from docsieve.sealer import key_file
from docsieve.services.backup.create import create
from docsieve.services.backup.repository import Backup, Repository
from docsieve.settings import Settings

app = typer.Typer(add_completion=False)


@app.command()
def backup(
    place: Place,
    key: Key = None,
    keep: Annotated[int | None, typer.Option(min=1, help="Remove all but the newest backups.")] = None,
    as_json: AsJson = False,
) -> None:
    """Back up the database and all stored files while the server runs.

    Files that an earlier backup in the same place holds already are not copied again. Settings, and the master key of
    DOCSIEVE_MASTER_KEY, are not part of a backup.
    """
    settings = load_settings()
    logs.configure(settings, process="cli")
    opened = open_key(key)
    with database_url(settings) as url:
        made, removed = asyncio.run(_back_up(settings, settings.direct_url(url), place, opened, keep))
    if as_json:
        return print_json([made])
    show_backups([made])
    old = f" {removed} older backups were removed." if removed else ""
    print(f"\nBacked up {described(made.all_files)} and the database; {described(made.new_files)} were new.{old}")
    return None


async def _back_up(
    settings: Settings, url: str, place: str, key: MasterKey | None, keep: int | None
) -> tuple[Backup, int]:
    connection = await connect(url)
    try:
        found = await migrate.applied(connection)
        installation = await sql.installation(connection) if found is not None else None
        if found is None or installation is None:
            raise DatabaseOutdated("The database is empty, so there is nothing to back up.")
        source = open_store(settings.blob_location)
        try:
            async with open_place(settings, place, new=True) as store:
                repository = await Repository.open_for(store, installation, key)
                with shown() as view:
                    made = await create(
                        connection,
                        source,
                        repository,
                        revision=found,
                        dump=lambda: dump(url),
                        secret_key=_secret_key(settings),
                        show=view.backing_up,
                    )
                return made, await repository.sweep(keep=keep)
        finally:
            await source.close()
    finally:
        await connection.close()


def _secret_key(settings: Settings) -> bytes | None:
    path = key_file(settings)
    return path.read_bytes() if settings.secret_key is None and path.exists() else None
