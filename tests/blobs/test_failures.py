"""What object stores do when they are busy, slow, cut off, or refuse: it is retried, or an error with its own code."""

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from docsieve.blobs.object_store import ObjectBlobStore
from docsieve.blobs.port import BlobStore
from docsieve.errors import BlobMissing, BlobStoreError
from docsieve.errors.blobs import BlobStoreDenied
from tests.emulators.faulty_proxy import Fault, FaultyProxy, faulty_proxy
from tests.emulators.gcs_server import key_file
from tests.emulators.stores import Emulator

from .conftest import OBJECT_STORES
from .sources import MIB, chunks_of, mebibytes

pytestmark = pytest.mark.process

KEY = "tenants/1/documents/2/original"
CONTENT = bytes(range(256)) * (3 * MIB // 256)

only_s3 = pytest.mark.parametrize(
    "server",
    ["s3", *(pytest.param(scheme, marks=pytest.mark.slow) for scheme in OBJECT_STORES if scheme != "s3")],
    indirect=True,
)


@pytest.fixture
async def proxy(server: Emulator, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FaultyProxy]:
    async with faulty_proxy(server.port) as running:
        server.use(monkeypatch, port=running.port)
        yield running


@pytest.fixture
async def store(server: Emulator, proxy: FaultyProxy) -> BlobStore:
    return ObjectBlobStore(f"{server.scheme}://{server.create_bucket()}/some/folder")


@pytest.mark.parametrize("status", [503, 429])
async def test_a_busy_store_is_asked_again(store: BlobStore, proxy: FaultyProxy, status: int) -> None:
    proxy.faults.extend([Fault("PUT", status=status)] * 2)
    await store.put(KEY, chunks_of(b"x"))
    proxy.faults.extend([Fault("GET", status=status)] * 2)
    assert await store.get(KEY) == b"x"
    proxy.faults.append(Fault("GET", status=status))
    assert [info.key async for info in store.list()] == [KEY]
    assert not proxy.faults


@only_s3
async def test_a_store_that_stays_busy_is_asked_six_times(store: BlobStore, proxy: FaultyProxy) -> None:
    proxy.always = Fault(status=503)

    with pytest.raises(BlobStoreError) as failed:
        await store.size(KEY)

    assert failed.value.code == "blob_store_error"
    assert len(proxy.seen) == 6


async def test_an_answer_that_breaks_off_is_continued(store: BlobStore, proxy: FaultyProxy, tmp_path: Path) -> None:
    await store.put(KEY, chunks_of(CONTENT))
    proxy.faults.append(Fault("GET", keep=MIB))

    await store.download(KEY, tmp_path / "copy")

    assert hashlib.sha256((tmp_path / "copy").read_bytes()).digest() == hashlib.sha256(CONTENT).digest()


@only_s3
async def test_an_answer_that_always_breaks_off_is_an_error_and_never_short(
    store: BlobStore, proxy: FaultyProxy, tmp_path: Path
) -> None:
    await store.put(KEY, chunks_of(b"0123456789"))
    proxy.always = Fault("GET", keep=0)

    with pytest.raises(BlobStoreError):
        await store.get(KEY)
    with pytest.raises(BlobStoreError):
        await store.download(KEY, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


@only_s3
async def test_a_stalled_answer_is_given_up_and_asked_for_again(
    server: Emulator, proxy: FaultyProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    for prefix in ("AWS", "AZURE", "GOOGLE"):
        monkeypatch.setenv(f"{prefix}_READ_TIMEOUT", "2s")
    store = ObjectBlobStore(f"{server.scheme}://{server.create_bucket()}")
    await store.put(KEY, chunks_of(b"x"))
    proxy.faults.append(Fault("GET", stall=True))

    assert await store.get(KEY) == b"x"
    assert not proxy.faults


@only_s3
async def test_a_part_that_keeps_failing_fails_the_put_and_stores_nothing(store: BlobStore, proxy: FaultyProxy) -> None:
    proxy.always = Fault("PUT", status=500)

    with pytest.raises(BlobStoreError):
        await store.put(KEY, mebibytes(12))

    proxy.always = None
    assert [info async for info in store.list()] == []


async def test_what_vanished_is_missing(store: BlobStore, proxy: FaultyProxy) -> None:
    await store.put(KEY, chunks_of(CONTENT))
    chunks = store.stream(KEY)
    await anext(chunks)
    await store.delete(KEY)

    with pytest.raises(BlobMissing):
        await store.size(KEY)
    with pytest.raises(BlobMissing):
        await store.copy(KEY, "tenants/1/copy")


REFUSALS = {
    "s3": Fault(status=403, body=b"<Error><Code>SignatureDoesNotMatch</Code></Error>"),  # moto checks no signatures
    "az": None,
    "gs": None,
}


async def test_wrong_credentials_are_named(
    server: Emulator, proxy: FaultyProxy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proxy.always = REFUSALS[server.scheme]
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", "d3Jvbmc=")
    if server.scheme == "gs":
        monkeypatch.setenv("GOOGLE_SERVICE_ACCOUNT", _other_account(tmp_path, server.port))
    store = ObjectBlobStore(f"{server.scheme}://{server.create_bucket()}")

    for asking in (store.put(KEY, chunks_of(b"x")), store.get(KEY), store.size(KEY), store.check()):
        with pytest.raises(BlobStoreDenied) as refused:
            await asking
        assert refused.value.code == "blob_store_denied"
        assert refused.value.status == 503
        assert "refused the credentials of this server" in refused.value.detail
        assert "http" not in refused.value.detail
    with pytest.raises(BlobStoreDenied):
        [info async for info in store.list()]


async def test_a_clock_that_is_wrong_is_named_as_such_by_s3(s3: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    async with faulty_proxy(s3.port) as proxy:
        s3.use(monkeypatch, port=proxy.port)
        proxy.always = Fault(status=403, body=b"<Error><Code>RequestTimeTooSkewed</Code></Error>")

        with pytest.raises(BlobStoreDenied, match="clock of this machine"):
            await ObjectBlobStore(f"s3://{s3.create_bucket()}").put(KEY, chunks_of(b"x"))


async def test_a_token_of_a_clock_that_is_two_hours_late_is_refused_by_google(
    gs: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    gs.use(monkeypatch)
    control = f"http://127.0.0.1:{gs.port}/.control"
    store = ObjectBlobStore(f"gs://{gs.create_bucket()}")
    httpx.post(control, json={"clock_off_seconds": 7200})
    try:
        with pytest.raises(BlobStoreDenied, match="InvalidToken"):
            await store.put(KEY, chunks_of(b"x"))
    finally:
        httpx.post(control, json={"clock_off_seconds": 0})
    await store.put(KEY, chunks_of(b"x"))


async def test_s3_objects_are_encrypted_as_the_environment_says(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SERVER_SIDE_ENCRYPTION", "aws:kms")
    monkeypatch.setenv("AWS_SSE_KMS_KEY_ID", "key-1")
    store = ObjectBlobStore(f"s3://{bucket}")
    await store.put(KEY, chunks_of(b"x"))

    answer = httpx.get((await store.sign_get(KEY, seconds=60)).url)

    assert answer.headers["x-amz-server-side-encryption"] == "aws:kms"
    assert answer.headers["x-amz-server-side-encryption-aws-kms-key-id"] == "key-1"


def _other_account(folder: Path, port: int) -> str:
    path = folder / "other.json"
    path.write_text(key_file(rsa.generate_private_key(65537, 2048), f"http://127.0.0.1:{port}"))
    return str(path)
