"""Backing up a running installation.

Files are copied twice: before the database is dumped, which takes long, and what is new after it, which does not. So
every row of the dump has its files, but for documents that were deleted in between.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from docsieve import faults
from docsieve.blobs.port import BlobInfo, BlobStore
from docsieve.db import backups as sql
from docsieve.db.connection.driver import Connection
from docsieve.domain.documents import BLOB_FOLDERS
from docsieve.errors import BlobMissing
from docsieve.errors.backups import BackupDisturbed, BackupRunning
from docsieve.services.backup.copying import for_each
from docsieve.services.backup.index import Entry, EntryIndex
from docsieve.services.backup.repository import Backup, Repository, Total

# Images of pages are drawn again when somebody looks at them.
_FOLDERS = tuple(folder for folder in BLOB_FOLDERS if folder != "images")
_ENTRIES_PER_PART = 1000


@dataclass(frozen=True, slots=True)
class Progress:
    """What has been looked at so far, and what of it was copied."""

    files: int
    new_files: int
    new_bytes: int


@dataclass(slots=True)
class _Copying:
    """Brings the repository up to date with the store; what is known already is not copied."""

    source: BlobStore
    repository: Repository
    known: EntryIndex
    show: Callable[[Progress], None]
    done: EntryIndex = field(default_factory=EntryIndex)
    unwritten: list[Entry] = field(default_factory=list)
    files: int = 0
    new_files: int = 0
    new_bytes: int = 0

    async def run(self) -> None:
        for folder in _FOLDERS:
            await for_each(self.source.list(folder), self._visit)
        await self._write_part()

    async def _visit(self, blob: BlobInfo) -> None:
        modified = round(blob.modified.timestamp() * 1_000_000)
        if _same(self.done.find(blob.key), blob, modified):
            return
        entry = self.known.find(blob.key)
        if entry is None or not _same(entry, blob, modified):
            copied = await self._copy(blob.key, modified)
            if copied is None:
                return  # deleted since it was listed
            entry = copied
        self.files += 1
        self.done.add([entry])
        self.unwritten.append(entry)
        self.show(Progress(self.files, self.new_files, self.new_bytes))
        if len(self.unwritten) >= _ENTRIES_PER_PART:
            await self._write_part()

    async def _copy(self, key: str, modified: int) -> Entry | None:
        name = self.repository.new_object()
        try:
            stored = await self.repository.store.put(name, self.source.stream(key))
        except BlobMissing:
            return None
        self.new_files += 1
        self.new_bytes += stored.size
        return Entry(key, name, stored.size, stored.sha256, modified)

    async def _write_part(self) -> None:
        entries, self.unwritten = self.unwritten, []
        if entries:
            await self.repository.write_part(entries)
            faults.step("backup.part_stored")


async def create(
    connection: Connection,
    source: BlobStore,
    repository: Repository,
    *,
    revision: str,
    dump: Callable[[], AsyncIterator[bytes]],
    secret_key: bytes | None,
    show: Callable[[Progress], None],
) -> Backup:
    """Back up the database of `connection`, which stays open meanwhile, and the files in `source`, as they are there.

    Raises BackupRunning, BackupDisturbed, and what the stores raise. What was stored by then is used by the next try.
    """
    if not await sql.try_lock(connection):
        raise BackupRunning
    keys = await sql.data_keys(connection)
    with EntryIndex() as known:
        if complete := await repository.backups():
            await repository.load(complete[0], known)
        await repository.load_interrupted(known)
        await repository.begin()
        copying = _Copying(source, repository, known, show)
        await copying.run()
        database = await repository.write("database", dump())
        faults.step("backup.database_stored")
        await copying.run()
    if await sql.data_keys(connection) != keys:
        raise BackupDisturbed
    stored_key = await repository.write("secret.key", _once(secret_key)) if secret_key is not None else None
    files, size = copying.done.total()
    return await repository.complete(
        revision=revision,
        all_files=Total(files=files, bytes=size),
        new_files=Total(files=copying.new_files, bytes=copying.new_bytes),
        database=database,
        secret_key=stored_key,
    )


def _same(entry: Entry | None, blob: BlobInfo, modified: int) -> bool:
    return entry is not None and (entry.size, entry.modified) == (blob.size, modified)


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
