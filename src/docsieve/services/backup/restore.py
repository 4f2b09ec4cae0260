"""Restoring an installation into an empty database.

The files come first and the database last, in one transaction. So a restore that was interrupted has restored nothing
that a server would show, and can be repeated.
"""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from docsieve import faults
from docsieve.blobs.port import BlobStore
from docsieve.db import backups as sql
from docsieve.db.connection.driver import Connection
from docsieve.errors import BlobMissing
from docsieve.errors.backups import BackupDamaged, RestoreTargetNotEmpty
from docsieve.services.backup.copying import checked, for_each
from docsieve.services.backup.index import Entry, EntryIndex
from docsieve.services.backup.repository import Backup, Repository


@dataclass(slots=True)
class Progress:
    """`damaged` are the keys of files that the backup no longer holds as they were."""

    total_files: int
    total_bytes: int
    files: int = 0
    bytes: int = 0
    damaged: list[str] = field(default_factory=list)


async def verify(repository: Repository, backup: Backup, *, show: Callable[[Progress], None]) -> Progress:
    """Read everything that a restore would, and compare it with the checksums."""
    with EntryIndex() as index:
        await repository.load(backup, index)

        async def read(entry: Entry) -> None:
            async for _ in _content(repository, entry):
                pass

        progress = await _through(index, read, show)
    for name, chunks in _parts(repository, backup).items():
        try:
            async for _ in chunks:
                pass
        except BackupDamaged:
            progress.damaged.append(name)
    return progress


async def restore(
    connection: Connection,
    repository: Repository,
    backup: Backup,
    target: BlobStore,
    *,
    load: Callable[[AsyncIterator[bytes]], Awaitable[None]],
    keep_secret: Callable[[bytes], None],
    skip_damaged: bool,
    show: Callable[[Progress], None],
) -> Progress:
    """Copy the files of a backup to `target`, then load the database.

    Files that are there already, as after an interrupted restore, are not copied again. Raises RestoreTargetNotEmpty,
    or BackupDamaged unless `skip_damaged`.
    """
    if await sql.has_tables(connection):
        raise RestoreTargetNotEmpty
    with EntryIndex() as index:
        await repository.load(backup, index)

        async def copy(entry: Entry) -> None:
            if await _holds(target, entry):
                return
            await target.put(entry.key, _content(repository, entry))
            faults.step("restore.file_stored")

        progress = await _through(index, copy, show)
    if progress.damaged and not skip_damaged:
        raise BackupDamaged(
            f"{len(progress.damaged)} of {progress.total_files} files are missing or were altered, such as"
            f" {progress.damaged[0]}. --skip-damaged restores the rest."
        )
    parts = _parts(repository, backup)
    if (secret := parts.get("secret.key")) is not None:
        keep_secret(b"".join([chunk async for chunk in secret]))
    faults.step("restore.files_stored")
    await sql.create_roles(connection)
    await load(parts["database"])
    faults.step("restore.database_loaded")
    return progress


async def _through(
    index: EntryIndex, work: Callable[[Entry], Awaitable[None]], show: Callable[[Progress], None]
) -> Progress:
    progress = Progress(*index.total())

    async def visit(entry: Entry) -> None:
        try:
            await work(entry)
        except BackupDamaged:
            progress.damaged.append(entry.key)
        progress.files += 1
        progress.bytes += entry.size
        show(progress)

    await for_each(_each(index.all()), visit)
    return progress


def _content(repository: Repository, entry: Entry) -> AsyncIterator[bytes]:
    return checked(repository.store.stream(entry.object), entry.key, entry.sha256)


def _parts(repository: Repository, backup: Backup) -> dict[str, AsyncIterator[bytes]]:
    """What a backup holds besides files, by name."""
    stored = {"database": backup.database, "secret.key": backup.secret_key}
    return {
        name: checked(repository.stream(backup, name), name, part.sha256)
        for name, part in stored.items()
        if part is not None
    }


async def _holds(target: BlobStore, entry: Entry) -> bool:
    try:
        if await target.size(entry.key) != entry.size:
            return False
        digest = hashlib.sha256()
        async for chunk in target.stream(entry.key):
            digest.update(chunk)
    except BlobMissing:
        return False
    return digest.hexdigest() == entry.sha256


async def _each(entries: Iterable[Entry]) -> AsyncIterator[Entry]:
    for entry in entries:
        yield entry
