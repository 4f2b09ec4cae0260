"""`docsieve restore`: a backup into an empty database, or only a look at it."""

import asyncio
import os
from collections.abc import Sequence
from typing import Annotated

import typer

from docsieve import logs
from docsieve.blobs.registry import open_store
from docsieve.cli.backup.places import Key, Place, open_key, open_place
from docsieve.cli.backup.view import described, show_backups, shown
from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.options import AsJson, print_json
from docsieve.cli.console.tables import show_empty
from docsieve.cli.server.database import connect, database_url
from docsieve.db.connection import migrate
from docsieve.db.server.dump import load
from docsieve.encryption.master_keys import MasterKey
from docsieve.errors import Invalid
from docsieve.errors.backups import BackupDamaged, BackupNotFound
from docsieve.errors.setup import DatabaseOutdated
from docsieve.sealer import key_file
from docsieve.services.backup.repository import Backup, Repository
from docsieve.services.backup.restore import Progress, restore, verify
from docsieve.settings import Settings

app = typer.Typer(add_completion=False)

_NAMED = 10


@app.command("restore")
def restore_backup(
    place: Place,
    backup: Annotated[str | None, typer.Option(metavar="ID", help="Which backup. Defaults to the newest.")] = None,
    key: Key = None,
    only_list: Annotated[bool, typer.Option("--list", help="List the backups instead.")] = False,
    only_verify: Annotated[bool, typer.Option("--verify", help="Read all of the backup and check it instead.")] = False,
    skip_damaged: Annotated[
        bool, typer.Option("--skip-damaged", help="Restore although files of the backup are missing or were altered.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into an empty database, list backups, or verify one.

    Stop the server first. Files go to DOCSIEVE_BLOB_URL, or to DOCSIEVE_DATA_DIR. A restore that was interrupted can be
    repeated.
    """
    if only_list and only_verify:
        raise Invalid("Choose --list or --verify.")
    settings = load_settings()
    logs.configure(settings, process="cli")
    opened = open_key(key)
    if only_list:
        return _show(asyncio.run(_list(settings, place, opened)), as_json)
    if only_verify:
        chosen, progress = asyncio.run(_verify(settings, place, opened, backup))
        if progress.damaged:
            raise BackupDamaged(f"Missing or altered: {_named(progress.damaged)}.")
        if not as_json:
            print(f"Backup {chosen.id} is intact: {described(chosen.all_files)} and the database.")
            return None
        return print_json([chosen])
    with database_url(settings) as url:
        chosen, progress = asyncio.run(
            _restore(settings, settings.direct_url(url), place, opened, backup, skip_damaged=skip_damaged)
        )
    if as_json:
        return print_json([chosen])
    print(f"Restored backup {chosen.id}: {described(chosen.all_files)} and the database.")
    if progress.damaged:
        print(f"Not restored, because missing or altered: {_named(progress.damaged)}.")
        print("`docsieve doctor --deep` reads damaged pages again and names documents without their original.")
    return None


async def _list(settings: Settings, place: str, key: MasterKey | None) -> list[Backup]:
    async with open_place(settings, place, new=False) as store:
        return await (await Repository.open(store, key)).backups()


async def _verify(
    settings: Settings, place: str, key: MasterKey | None, backup_id: str | None
) -> tuple[Backup, Progress]:
    async with open_place(settings, place, new=False) as store:
        repository = await Repository.open(store, key)
        chosen = await _chosen(repository, backup_id)
        with shown() as view:
            return chosen, await verify(repository, chosen, show=view.restoring)


async def _restore(
    settings: Settings, url: str, place: str, key: MasterKey | None, backup_id: str | None, *, skip_damaged: bool
) -> tuple[Backup, Progress]:
    connection = await connect(url)
    try:
        async with open_place(settings, place, new=False) as store:
            repository = await Repository.open(store, key)
            chosen = await _chosen(repository, backup_id)
            if chosen.revision > migrate.newest():
                raise DatabaseOutdated(f"The backup was made by release {chosen.release}. Install it, or a newer one.")
            target = open_store(settings.blob_location)
            try:
                with shown() as view:
                    progress = await restore(
                        connection,
                        repository,
                        chosen,
                        target,
                        load=lambda chunks: load(url, chunks),
                        keep_secret=lambda secret: _keep_secret(settings, secret),
                        skip_damaged=skip_damaged,
                        show=view.restoring,
                    )
            finally:
                await target.close()
    finally:
        await connection.close()
    return chosen, progress


async def _chosen(repository: Repository, backup_id: str | None) -> Backup:
    if backup_id is not None:
        return await repository.find(backup_id)
    found = await repository.backups()
    if not found:
        raise BackupNotFound("There is no complete backup in this place.")
    return found[0]


def _keep_secret(settings: Settings, secret: bytes) -> None:
    """A setting takes precedence, and is the operator's affair."""
    if settings.secret_key is not None:
        return
    path = key_file(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(secret)
        os.fsync(file.fileno())


def _show(backups: Sequence[Backup], as_json: bool) -> None:
    if as_json:
        return print_json(backups)
    return show_backups(backups) if backups else show_empty("backups")


def _named(damaged: Sequence[str]) -> str:
    more = f" and {len(damaged) - _NAMED} more" if len(damaged) > _NAMED else ""
    return f"{', '.join(damaged[:_NAMED])}{more}"
