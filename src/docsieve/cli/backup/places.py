"""Where backups are, and the key that opens them, as the command line names them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import typer

from docsieve.blobs.port import BlobStore
from docsieve.blobs.registry import open_store
from docsieve.encryption.master_keys import MasterKey, master_keys
from docsieve.errors import Invalid
from docsieve.errors.backups import BackupNotFound
from docsieve.settings import Settings, key_sources

Place = Annotated[str, typer.Argument(help="A folder, or file://, s3://, az:// or gs:// with a path.")]
Key = Annotated[
    str | None,
    typer.Option(
        metavar="SOURCE",
        help="Key of 32 bytes that encrypts the backups, as env:NAME, file:PATH or command:PROGRAM.",
    ),
]


def open_key(key: str | None) -> MasterKey | None:
    if key is None:
        return None
    try:
        sources = key_sources(key)
    except ValueError as error:
        raise Invalid(f"--key: {error}.") from error
    if len(sources) > 1:
        raise Invalid("--key takes one key.")
    return master_keys(sources)[0]


@asynccontextmanager
async def open_place(settings: Settings, place: str, *, new: bool) -> AsyncIterator[BlobStore]:
    """The store that holds the backups. A `new` one may be empty; a folder is created."""
    store = open_store(_url(settings, place, new=new))
    try:
        yield store
    finally:
        await store.close()


def _url(settings: Settings, place: str, *, new: bool) -> str:
    if "://" in place:
        return place
    folder = Path(place).absolute()
    if folder.resolve().is_relative_to(settings.data_dir.resolve()):
        raise Invalid(f"{place} is inside DOCSIEVE_DATA_DIR, whose loss a backup is to survive. Choose another folder.")
    if not new and not folder.is_dir():
        raise BackupNotFound(f"{place} is not a folder.")
    return folder.as_uri()
