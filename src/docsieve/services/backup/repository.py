"""The folder or bucket that holds the backups of one installation.

    repository.json            which installation, and the key that encrypts everything else, if there is one
    objects/<backup>/…         stored files, each as one object; later backups refer to those that did not change
    backups/<id>/parts/<n>     which object is which stored file, a thousand at a time
    backups/<id>/database      the dump of the database
    backups/<id>/secret.key    the key of stored passwords, unless it is a setting
    backups/<id>/complete      written last: a backup without it never existed

It is a blob store like any other, and is encrypted as the blobs of a tenant are.
"""

import base64
import hashlib
import os
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from uuid import UUID

from pydantic import BaseModel, TypeAdapter, ValidationError

from docsieve import __version__
from docsieve.blobs.port import BlobStore
from docsieve.blobs.sealed.port import KEY_BYTES, DataKey, DataKeys
from docsieve.blobs.sealed.store import SealedBlobStore
from docsieve.domain.ids import new_id
from docsieve.encryption.master_keys import MasterKey, MasterKeyFailed
from docsieve.errors import BlobMissing
from docsieve.errors.backups import BackupDamaged, BackupKeyMissing, BackupKeyWrong, BackupNotFound, BackupOfOther
from docsieve.errors.blobs import BlobExists, BlobSealBroken
from docsieve.services.backup.index import Entry, EntryIndex

_REPOSITORY = "repository.json"
_BACKUPS, _OBJECTS = "backups", "objects"
_COMPLETE = "complete"
_OBJECTS_PER_FOLDER = 1000
_ENTRIES: TypeAdapter[list[Entry]] = TypeAdapter(list[Entry])


class _Head(BaseModel):
    """`key` is the key of the repository, wrapped by the key that the operator keeps."""

    format: int = 1
    installation: UUID
    key_id: UUID | None = None
    key: bytes | None = None


class StoredPart(BaseModel):
    """An object that belongs to one backup."""

    size: int
    sha256: str


class Total(BaseModel):
    files: int
    bytes: int


class Backup(BaseModel):
    """A complete backup. `parts` are in the order in which they were written; a later entry replaces an earlier one."""

    id: str
    created_at: datetime
    release: str
    revision: str
    all_files: Total
    new_files: Total
    database: StoredPart
    secret_key: StoredPart | None = None
    parts: list[StoredPart]


class _OneKey(DataKeys):
    """The key of the repository, regardless of who owns a blob."""

    def __init__(self, key: DataKey | None) -> None:
        self._key = key

    @property
    def enabled(self) -> bool:
        return self._key is not None

    async def current(self, tenant_id: UUID) -> DataKey:
        assert self._key is not None
        return self._key

    async def find(self, tenant_id: UUID, key_id: UUID) -> DataKey:
        if self._key is None or key_id != self._key.id:
            raise BackupKeyWrong
        return self._key

    async def exist(self, tenant_id: UUID) -> bool:
        return self._key is not None


class Repository:
    def __init__(self, store: BlobStore, installation: UUID) -> None:
        self.store = store
        self.installation = installation
        self._id = ""
        self._objects = 0
        self._parts: list[StoredPart] = []

    @classmethod
    async def open(cls, store: BlobStore, key: MasterKey | None) -> "Repository":
        """Raises BackupNotFound, BackupKeyMissing or BackupKeyWrong."""
        try:
            head = _Head.model_validate_json(await store.get(_REPOSITORY))
        except BlobMissing as error:
            raise BackupNotFound("There are no backups in this place.") from error
        except ValidationError as error:
            raise BackupDamaged(f"{_REPOSITORY} cannot be read.") from error
        data_key = await _unwrap(head, key)
        return cls(SealedBlobStore(store, _OneKey(data_key), owner=_owner(head.installation)), head.installation)

    @classmethod
    async def open_for(cls, store: BlobStore, installation: UUID, key: MasterKey | None) -> "Repository":
        """The backups of this installation, begun if there are none yet. Raises BackupOfOther too."""
        if not await store.exists(_REPOSITORY):
            head = await _new_head(installation, key)
            try:
                await store.create(_REPOSITORY, head.model_dump_json().encode())
            except BlobExists:
                pass  # begun at the same time
        found = await cls.open(store, key)
        if found.installation != installation:
            raise BackupOfOther
        return found

    async def backups(self) -> list[Backup]:
        """All complete backups, newest first."""
        return [await self.find(name) for name in await self._names() if await self._is_complete(name)]

    async def find(self, backup_id: str) -> Backup:
        """Raises BackupNotFound or BackupDamaged."""
        try:
            return Backup.model_validate_json(await self.store.get(f"{_BACKUPS}/{backup_id}/{_COMPLETE}"))
        except BlobMissing as error:
            raise BackupNotFound(f"There is no backup {backup_id}.") from error
        except (ValidationError, BlobSealBroken) as error:
            raise BackupDamaged(f"The description of backup {backup_id} cannot be read.") from error

    async def load(self, backup: Backup, index: EntryIndex) -> None:
        """Add the files of a backup to an index. Raises BackupDamaged."""
        for number, part in enumerate(backup.parts):
            key = _part_key(backup.id, number)
            try:
                content = await self.store.get(key)
            except (BlobMissing, BlobSealBroken) as error:
                raise BackupDamaged(f"{key} is missing or was altered.") from error
            if hashlib.sha256(content).hexdigest() != part.sha256:
                raise BackupDamaged(f"{key} was altered.")
            index.add(_ENTRIES.validate_json(content))

    async def load_interrupted(self, index: EntryIndex) -> None:
        """Add what backups that were interrupted have stored since the last complete one, so that it is not lost."""
        for name in await self._names():
            if await self._is_complete(name):
                return
            async for blob in self.store.list(f"{_BACKUPS}/{name}/parts"):
                index.add(_ENTRIES.validate_json(await self.store.get(blob.key)))

    async def begin(self) -> None:
        """Choose an id that follows all others, even if the clock was set back."""
        now = f"{datetime.now(UTC):%Y-%m-%dT%H-%M-%S.%f}Z"
        newest = max(await self._names(), default="")
        self._id = now if now > newest else f"{newest}+"

    def new_object(self) -> str:
        self._objects += 1
        return f"{_OBJECTS}/{self._id}/{self._objects // _OBJECTS_PER_FOLDER}/{self._objects}"

    async def write_part(self, entries: Sequence[Entry]) -> None:
        content = _ENTRIES.dump_json(list(entries))
        number = len(self._parts)
        self._parts.append(StoredPart(size=len(content), sha256=hashlib.sha256(content).hexdigest()))
        await self.store.create(_part_key(self._id, number), content)

    async def write(self, name: str, chunks: AsyncIterable[bytes]) -> StoredPart:
        stored = await self.store.put(f"{_BACKUPS}/{self._id}/{name}", chunks)
        return StoredPart(size=stored.size, sha256=stored.sha256)

    async def complete(
        self,
        *,
        revision: str,
        all_files: Total,
        new_files: Total,
        database: StoredPart,
        secret_key: StoredPart | None,
    ) -> Backup:
        """From here on the backup exists."""
        backup = Backup(
            id=self._id,
            created_at=datetime.now(UTC),
            release=__version__,
            revision=revision,
            all_files=all_files,
            new_files=new_files,
            database=database,
            secret_key=secret_key,
            parts=self._parts,
        )
        await self.store.create(f"{_BACKUPS}/{self._id}/{_COMPLETE}", backup.model_dump_json().encode())
        return backup

    def stream(self, backup: Backup, name: str) -> AsyncIterator[bytes]:
        return self.store.stream(f"{_BACKUPS}/{backup.id}/{name}")

    async def sweep(self, *, keep: int | None) -> int:
        """Remove all but the newest `keep` backups, and objects that none of the rest refers to.

        A backup ceases to be complete before anything of it is removed. Returns how many backups were removed.
        """
        names = await self._names()
        complete = [name for name in names if await self._is_complete(name)]
        kept = complete[:keep] if keep is not None else complete
        removed = [name for name in names if name not in kept]
        if not removed:
            return 0
        for name in removed:
            await self.store.delete(f"{_BACKUPS}/{name}/{_COMPLETE}")
        with EntryIndex() as used:
            for name in kept:
                with EntryIndex() as index:
                    await self.load(await self.find(name), index)
                    used.add_objects(index)
            async for blob in self.store.list(_OBJECTS):
                if not used.has_object(blob.key):
                    await self.store.delete(blob.key)
        for name in removed:
            async for blob in self.store.list(f"{_BACKUPS}/{name}"):
                await self.store.delete(blob.key)
        return len(set(removed) & set(complete))

    async def _names(self) -> list[str]:
        """Of complete and interrupted backups, newest first."""
        return sorted({blob.key.split("/")[1] async for blob in self.store.list(_BACKUPS)}, reverse=True)

    async def _is_complete(self, name: str) -> bool:
        return await self.store.exists(f"{_BACKUPS}/{name}/{_COMPLETE}")


def _part_key(backup_id: str, number: int) -> str:
    return f"{_BACKUPS}/{backup_id}/parts/{number}"


def _owner(installation: UUID) -> Callable[[str], UUID | None]:
    """Everything but the description of the repository is encrypted, if anything is."""
    return lambda key: None if key == _REPOSITORY else installation


async def _new_head(installation: UUID, key: MasterKey | None) -> _Head:
    if key is None:
        return _Head(installation=installation)
    try:
        wrapped = await key.wrap(os.urandom(KEY_BYTES))
    except MasterKeyFailed as error:
        raise BackupKeyWrong(f"The key cannot be used: {error.reason}.") from error
    return _Head(installation=installation, key_id=new_id(), key=base64.b64encode(wrapped))


async def _unwrap(head: _Head, key: MasterKey | None) -> DataKey | None:
    if head.key is None or head.key_id is None:
        if key is not None:
            raise BackupKeyWrong("These backups are not encrypted. Omit --key, or choose another place.")
        return None
    if key is None:
        raise BackupKeyMissing
    try:
        return DataKey(head.key_id, await key.unwrap(base64.b64decode(head.key)))
    except MasterKeyFailed as error:
        raise BackupKeyWrong(f"The key does not open these backups: {error.reason}.") from error
