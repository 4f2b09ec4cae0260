"""One store of each kind; those of buckets speak to real servers on loopback."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from docsieve.blobs.port import BlobStore
from docsieve.blobs.registry import open_store
from docsieve.blobs.sealed.store import SealedBlobStore
from tests.emulators.stores import Emulator, emulator

from .sealed.keys import TENANT, KeysInMemory

OBJECT_STORES = ("s3", "az", "gs")


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulator]:
    with emulator("s3", tmp_path_factory.mktemp("s3")) as running:
        yield running


@pytest.fixture(scope="session")
def az(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulator]:
    with emulator("az", tmp_path_factory.mktemp("az")) as running:
        yield running


@pytest.fixture(scope="session")
def gs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulator]:
    with emulator("gs", tmp_path_factory.mktemp("gs")) as running:
        yield running


@pytest.fixture
def bucket(s3: Emulator, monkeypatch: pytest.MonkeyPatch) -> str:
    s3.use(monkeypatch)
    return s3.create_bucket()


@pytest.fixture(params=[pytest.param(scheme, marks=pytest.mark.process) for scheme in OBJECT_STORES])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Emulator:
    """Each kind of object store, with the environment of an operator who uses it."""
    running: Emulator = request.getfixturevalue(request.param)
    running.use(monkeypatch)
    return running


KINDS = [
    "file",
    "sealed-file",
    *(pytest.param(kind, marks=pytest.mark.process) for kind in (*OBJECT_STORES, "sealed-s3")),
]


@pytest.fixture(params=KINDS)
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[BlobStore]:
    """Sealed ones encrypt whatever they store, as if all of it belonged to one tenant."""
    scheme = request.param.removeprefix("sealed-")
    if scheme == "file":
        url = (tmp_path / "blobs").as_uri()
    else:
        running: Emulator = request.getfixturevalue(scheme)
        running.use(monkeypatch)
        url = f"{scheme}://{running.create_bucket()}/some/folder"
    opened = open_store(url)
    yield opened if scheme == request.param else SealedBlobStore(opened, KeysInMemory(), owner=lambda key: TENANT)
    await opened.close()
