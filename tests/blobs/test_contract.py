"""What every blob store does, whatever it is made of."""

import asyncio
import gc
import hashlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from docsieve.blobs.port import BlobStore, StoredBlob
from docsieve.blobs.registry import open_store
from docsieve.blobs.sealed.envelope import sealed_bytes
from docsieve.blobs.sealed.store import SealedBlobStore
from docsieve.errors import BlobMissing
from docsieve.errors.blobs import BlobExists
from docsieve.errors.setup import InvalidBlobKey
from tests.emulators.stores import Emulator

from .sources import MIB, broken_after, chunks_of, mebibytes

KEY = "tenants/1/documents/2/original"


async def keys(store: BlobStore, prefix: str = "") -> list[str]:
    return sorted([info.key async for info in store.list(prefix)])


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.parametrize("content", [b"", b"x", b"x" * MIB, b"x" * (MIB + 1), b"ab" * (10 * MIB)])
async def test_a_blob_is_read_back_unchanged(store: BlobStore, content: bytes, tmp_path: Path) -> None:
    pieces = [content[at : at + 700_001] for at in range(0, len(content), 700_001)]

    stored = await store.put(KEY, chunks_of(*pieces))
    assert stored == StoredBlob(len(content), hashlib.sha256(content).hexdigest())

    assert await store.get(KEY) == content
    assert await store.size(KEY) == len(content)
    assert b"".join([chunk async for chunk in store.stream(KEY)]) == content
    assert await store.download(KEY, tmp_path / "copy") == len(content)
    assert (tmp_path / "copy").read_bytes() == content


@pytest.mark.parametrize("size", [0, 1, MIB + 1])
async def test_a_blob_under_a_new_key_is_stored_like_any_other(store: BlobStore, size: int) -> None:
    stored = await store.put_new(KEY, chunks_of(b"x" * size))

    assert stored == StoredBlob(size, hashlib.sha256(b"x" * size).hexdigest())
    assert await store.get(KEY) == b"x" * size
    with pytest.raises(RuntimeError):
        await store.put_new(f"{KEY}-2", broken_after(size // MIB, RuntimeError()))
    assert await keys(store) == [KEY]


async def test_a_file_is_put_under_a_key(store: BlobStore, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"0123456789" * 300_000)

    assert (await store.put_file(KEY, source)).size == 3_000_000

    assert await store.get(KEY) == source.read_bytes()


async def test_putting_a_file_that_is_not_there_says_so_and_stores_nothing(store: BlobStore, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await store.put_file(KEY, tmp_path / "absent")

    assert await keys(store) == []


@pytest.mark.parametrize(
    ("start", "length"),
    [(0, 3), (4, 3), (4, None), (-3, None), (-3, 2), (8, 50), (10, 5), (99, None), (-99, None), (2, 0), (0, 99)],
)
async def test_a_range_is_what_a_slice_would_give(store: BlobStore, start: int, length: int | None) -> None:
    content = b"0123456789"
    await store.put(KEY, chunks_of(content))
    tail = content[start:]

    assert await store.get(KEY, start=start, length=length) == (tail if length is None else tail[:length])


async def test_ranges_of_an_empty_blob_are_empty(store: BlobStore) -> None:
    await store.put(KEY, chunks_of())

    assert await store.get(KEY, start=-5) == b""
    assert await store.get(KEY, start=0, length=5) == b""


@pytest.mark.parametrize(
    "store",
    ["file", "sealed-file", pytest.param("s3", marks=[pytest.mark.process, pytest.mark.slow])],
    indirect=True,
)
async def test_a_large_blob_passes_through_little_memory(store: BlobStore, tmp_path: Path) -> None:
    size = 80 * MIB
    await store.put(KEY, mebibytes(20))
    gc.collect()
    before = resident_bytes()
    most = before

    async def source() -> AsyncIterator[bytes]:
        nonlocal most
        async for chunk in mebibytes(80):
            most = max(most, resident_bytes())
            yield chunk

    assert (await store.put(KEY, source())).size == size
    async for chunk in store.stream(KEY):
        assert len(chunk) < 8 * MIB
        most = max(most, resident_bytes())
    assert most - before < size / 2


@pytest.mark.parametrize("mebibytes_first", [0, 3, 20])
async def test_a_source_that_fails_leaves_nothing_and_its_own_error(store: BlobStore, mebibytes_first: int) -> None:
    error = FileNotFoundError("the client went away")

    with pytest.raises(FileNotFoundError) as raised:
        await store.put(KEY, broken_after(mebibytes_first, error))

    assert raised.value is error
    assert await keys(store) == []
    with pytest.raises(BlobMissing):
        await store.get(KEY)


async def test_a_failed_overwrite_leaves_the_blob_that_was_there(store: BlobStore) -> None:
    await store.put(KEY, chunks_of(b"first"))

    with pytest.raises(RuntimeError):
        await store.put(KEY, broken_after(12, RuntimeError()))

    assert await store.get(KEY) == b"first"


@pytest.mark.parametrize("count", [1, 12])
async def test_an_overwrite_shows_the_old_bytes_until_the_new_are_whole(store: BlobStore, count: int) -> None:
    await store.put(KEY, chunks_of(b"old"))
    seen = []

    async def source() -> AsyncIterator[bytes]:
        async for chunk in mebibytes(count):
            yield chunk
        seen.append(await store.get(KEY))

    await store.put(KEY, source())

    assert seen == [b"old"]
    assert await store.size(KEY) == count * MIB


async def test_a_cancelled_put_leaves_nothing(store: BlobStore) -> None:
    reached, never = asyncio.Event(), asyncio.Event()

    async def source() -> AsyncIterator[bytes]:
        async for chunk in mebibytes(20):
            yield chunk
        reached.set()
        await never.wait()

    put = asyncio.create_task(store.put(KEY, source()))
    await reached.wait()
    put.cancel()
    with pytest.raises(asyncio.CancelledError):
        await put

    assert await keys(store) == []


async def test_puts_at_once_to_one_key_leave_one_of_them_whole(store: BlobStore) -> None:
    fills = [bytes([65 + number]) for number in range(8)]

    await asyncio.gather(*(store.put(KEY, mebibytes(2, fill)) for fill in fills))

    content = await store.get(KEY)
    assert content in [fill * 2 * MIB for fill in fills]
    assert await keys(store) == [KEY]


async def test_puts_and_deletes_at_once_in_one_folder_do_not_trip_each_other(store: BlobStore) -> None:
    async def put_and_delete(key: str) -> None:
        for _ in range(5):
            await store.put(key, chunks_of(b"x"))
            await store.delete(key)

    await asyncio.gather(*(put_and_delete(f"folder/sub/{number}") for number in range(6)))

    assert await keys(store) == []


async def test_deleting_twice_is_as_good_as_once(store: BlobStore) -> None:
    await store.put(KEY, chunks_of(b"x"))

    await store.delete(KEY)
    await store.delete(KEY)

    with pytest.raises(BlobMissing):
        await store.size(KEY)


@pytest.mark.parametrize("key", [KEY, "tenants", "tenants/there/below"])
async def test_a_missing_blob_is_missing_to_every_reader(store: BlobStore, key: str, tmp_path: Path) -> None:
    await store.put("tenants/there", chunks_of(b"x"))

    with pytest.raises(BlobMissing):
        await store.get(key)
    with pytest.raises(BlobMissing):
        await store.get(key, start=-5)
    with pytest.raises(BlobMissing):
        await store.get(key, start=1, length=0)
    with pytest.raises(BlobMissing):
        await store.size(key)
    with pytest.raises(BlobMissing):
        await store.download(key, tmp_path / "copy")
    with pytest.raises(BlobMissing):
        await anext(store.stream(key))
    await store.delete(key)
    assert not (tmp_path / "copy").exists()
    assert await keys(store) == ["tenants/there"]


async def test_a_listing_contains_everything_below_its_folder_with_size_and_time(store: BlobStore) -> None:
    for key in ("a/1", "a/b/2", "ab/3", "c"):
        await store.put(key, chunks_of(key.encode()))

    assert await keys(store) == ["a/1", "a/b/2", "ab/3", "c"]
    assert await keys(store, "a") == await keys(store, "a/") == ["a/1", "a/b/2"]
    assert await keys(store, "nowhere") == await keys(store, "c") == []
    [info] = [info async for info in store.list("ab")]
    assert info.size == (sealed_bytes(4) if isinstance(store, SealedBlobStore) else 4)
    assert abs(info.modified - datetime.now(UTC)) < timedelta(minutes=5)


@pytest.mark.parametrize(
    "key", ["ünï/日本語", "with space/a+b", "per%20cent/%2e%2e", "q?a=1&b#c", "pages/ab12/pdfium-5.zst"]
)
async def test_unusual_keys_are_kept_as_they_are(store: BlobStore, key: str) -> None:
    await store.put(key, chunks_of(key.encode()))

    assert await store.get(key) == key.encode()
    assert await keys(store) == [key]


async def test_of_many_that_create_one_key_one_succeeds(store: BlobStore) -> None:
    contents = [bytes([65 + number]) * 10 for number in range(6)]

    outcomes = await asyncio.gather(*(store.create(KEY, each) for each in contents), return_exceptions=True)

    [winner] = [content for content, outcome in zip(contents, outcomes, strict=True) if outcome is None]
    assert all(outcome is None or isinstance(outcome, BlobExists) for outcome in outcomes)
    assert await store.get(KEY) == winner
    with pytest.raises(BlobExists):
        await store.create(KEY, b"again")
    assert await keys(store) == [KEY]


async def test_a_copy_outlives_its_source_and_replaces_what_was_there(store: BlobStore) -> None:
    await store.put(KEY, chunks_of(b"new"))
    await store.put("tenants/1/copy", chunks_of(b"old"))

    await store.copy(KEY, "tenants/1/copy")
    await store.copy(KEY, "tenants/1/copy")
    await store.put(KEY, chunks_of(b"changed"))
    await store.delete(KEY)

    assert await store.get("tenants/1/copy") == b"new"
    assert await keys(store) == ["tenants/1/copy"]
    with pytest.raises(BlobMissing):
        await store.copy(KEY, "tenants/1/other")


async def test_a_signed_request_stores_and_reads_one_blob_without_credentials(server: Emulator) -> None:
    store = open_store(f"{server.scheme}://{server.create_bucket()}/some/folder")
    put = await store.sign_put(KEY, seconds=60)
    assert put is not None
    async with httpx.AsyncClient() as client:
        (await client.put(put.url, content=b"hello", headers=put.headers)).raise_for_status()
        assert await store.get(KEY) == b"hello"
        get = await store.sign_get(KEY, seconds=60)
        assert get is not None
        answer = await client.get(get.url)
        assert (answer.content, answer.headers["content-disposition"]) == (b"hello", "attachment")
        assert answer.headers["content-type"].split(";")[0] == "application/octet-stream"
        if server.scheme != "s3":  # moto checks no signatures
            assert (await client.put(get.url, content=b"x", headers=put.headers)).status_code == 403
            other = put.url.replace("/original?", "/other?")
            assert (await client.put(other, content=b"x", headers=put.headers)).status_code == 403


async def test_a_page_that_a_client_stored_is_copied_as_a_harmless_attachment(server: Emulator) -> None:
    store = open_store(f"{server.scheme}://{server.create_bucket()}/some/folder")
    put = await store.sign_put(KEY, seconds=60)
    assert put is not None
    page = {"Content-Type": "text/html", "x-ms-blob-type": "BlockBlob"}
    async with httpx.AsyncClient() as client:
        (await client.put(put.url, content=b"<script>", headers=page)).raise_for_status()
        await store.copy(KEY, "tenants/1/copy")
        get = await store.sign_get("tenants/1/copy", seconds=60)
        assert get is not None
        answer = await client.get(get.url)

    assert (answer.content, answer.headers["content-disposition"]) == (b"<script>", "attachment")
    assert answer.headers["content-type"] == "application/octet-stream"


HOSTILE = [
    "",
    "/",
    "/etc/passwd",
    "..",
    "a/../../b",
    "a//b",
    "a/",
    "./a",
    "a/.",
    ".incoming/x",
    "a\0b",
    "a\nb",
    "a\\b",
    "\ud800",
    "x" * 300,
    "a/" * 600 + "b",
]


@pytest.mark.parametrize("key", HOSTILE, ids=range(len(HOSTILE)))
async def test_a_hostile_key_is_refused_everywhere(store: BlobStore, key: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")

    with pytest.raises(InvalidBlobKey):
        await store.put(key, chunks_of(b"x"))
    with pytest.raises(InvalidBlobKey):
        await store.put_file(key, tmp_path / "file")
    with pytest.raises(InvalidBlobKey):
        await store.get(key)
    with pytest.raises(InvalidBlobKey):
        await anext(store.stream(key))
    with pytest.raises(InvalidBlobKey):
        await store.download(key, tmp_path / "copy")
    with pytest.raises(InvalidBlobKey):
        await store.size(key)
    with pytest.raises(InvalidBlobKey):
        await store.delete(key)


@pytest.mark.parametrize("prefix", ["..", "/", "a/..", ".incoming", "a//"])
async def test_a_hostile_prefix_is_refused(store: BlobStore, prefix: str) -> None:
    with pytest.raises(InvalidBlobKey):
        await keys(store, prefix)


async def test_a_healthy_store_passes_its_check_and_keeps_nothing_of_it(store: BlobStore) -> None:
    await store.check()

    assert await keys(store) == []


async def test_blobs_are_listed_by_how_their_names_begin(store: BlobStore) -> None:
    for name in ("70", "7b", "7b1.text", "7b1/page-1", "7b2", "7c"):
        await store.create(f"pages/7/{name}", b"page")

    found = sorted([blob.key async for blob in store.list_named("pages/7", "7b1")])
    assert found == ["pages/7/7b1.text", "pages/7/7b1/page-1"]
    assert [blob.key async for blob in store.list_named("pages/7", "7d")] == []
