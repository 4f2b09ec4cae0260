"""Opens the store of a URL. Installed packages add schemes through the entry point group `docsieve.blobs`."""

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from docsieve.blobs.local import LocalBlobStore
from docsieve.blobs.object_store import ObjectBlobStore
from docsieve.blobs.port import BlobStore
from docsieve.errors.setup import UnsupportedBlobUrl

ENTRY_POINTS = "docsieve.blobs"


def open_store(url: str, *, min_free_bytes: int = 0) -> BlobStore:
    """Open the store for the URL's scheme. May block for a moment, so call it during startup.

    `min_free_bytes` is the disk space that a local store leaves free.
    """
    scheme = urlsplit(url).scheme
    if scheme == "file":
        return _open_local(url, min_free_bytes)
    if open_known := STORES.get(scheme):
        return open_known(url)
    for plugin in entry_points(group=ENTRY_POINTS, name=scheme):
        store: BlobStore = plugin.load()(url)
        return store
    # The URL itself may contain a password.
    raise UnsupportedBlobUrl(f"No blob store is known for {scheme or 'a URL without a scheme'}; use {_known()}.")


def _open_local(url: str, min_free_bytes: int = 0) -> BlobStore:
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
        raise UnsupportedBlobUrl("A file URL has three slashes and an absolute path: file:///var/lib/docsieve/blobs.")
    return LocalBlobStore(Path(url2pathname(parts.path)), min_free_bytes=min_free_bytes)


def _known() -> str:
    plugins = (plugin.name for plugin in entry_points(group=ENTRY_POINTS))
    return ", ".join(f"{scheme}://" for scheme in sorted({*STORES, *plugins}))


STORES: dict[str, Callable[[str], BlobStore]] = {
    "file": _open_local,
    "s3": ObjectBlobStore,
    "az": ObjectBlobStore,
    "gs": ObjectBlobStore,
}
