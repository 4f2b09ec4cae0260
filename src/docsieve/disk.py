"""Room on the disks that Docsieve writes to.

A database that finds its disk full stops, so what needs room is refused while there is still some left: uploads, page
images and jobs that write files. Deleting is never refused.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from docsieve.errors import AttemptError, BlobStoreError, DiskFull
from docsieve.settings import Settings, blob_location

_FEWEST_FILES = 256

# A look at a disk with so many times the required room holds for a moment: no one fills it in that time.
_AMPLE, _AMPLE_SECONDS = 8, 0.25
_ample: dict[Path, tuple[int, float]] = {}


def free_bytes(folder: Path) -> int:
    """What an ordinary account may still write below a folder, which need not exist yet; 0 if no more files fit."""
    try:
        found = os.statvfs(folder)
    except (FileNotFoundError, NotADirectoryError):
        return free_bytes(folder.parent)
    if found.f_files and found.f_favail < _FEWEST_FILES:
        return 0
    return found.f_bavail * found.f_frsize


def require_room(folder: Path, least: int, what: str) -> None:
    """Raises DiskFull if less than `least` bytes are free. The path is not named: clients read the message."""
    enough, until = _ample.get(folder, (0, 0.0))
    if least <= enough and time.monotonic() < until:
        return
    free = free_bytes(folder)
    if free >= least * _AMPLE:
        _ample[folder] = (least, time.monotonic() + _AMPLE_SECONDS)
    if free < least:
        raise DiskFull(f"The disk of the {what} is full: {free // 1024**2} MB free, {least // 1024**2} MB needed.")


def watched(settings: Settings) -> Mapping[str, Path]:
    """The folders that must have room."""
    return _watched(settings.data_dir.absolute(), settings.blob_url)


@lru_cache(maxsize=16)
def _watched(data: Path, blob_url: str | None) -> Mapping[str, Path]:
    folders = {"data directory": data, "database": data / "postgres"}
    blobs = urlsplit(blob_location(blob_url, data))
    if blobs.scheme == "file":
        folders["blob store"] = Path(url2pathname(blobs.path))
    return folders


def require_room_for_work(settings: Settings) -> None:
    """Raises DiskFull, naming the disk, if there is too little room for anything that writes."""
    for what, folder in watched(settings).items():
        require_room(folder, settings.min_free_bytes, what)


@contextmanager
def needing_room(settings: Settings) -> Iterator[None]:
    """Around work that writes files under the data directory.

    Raises DiskFull before it or where it fails on a full disk, whatever it then says itself, and BlobStoreError where
    the files could not be written for another reason.
    """
    require_room_for_work(settings)
    try:
        yield
    except AttemptError:
        require_room_for_work(settings)
        raise
    except OSError as error:
        require_room_for_work(settings)
        if error.errno is None:  # such as a timeout, which is none of a file
            raise
        raise BlobStoreError(f"Files under the data directory cannot be used: {error.strerror}.") from error
