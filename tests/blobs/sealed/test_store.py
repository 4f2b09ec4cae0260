"""A sealed store keeps nothing readable in the store below, notices changes there, and reads what was there before.

What every store does is in `tests/blobs/test_contract.py`.
"""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

import pytest

from docsieve.blobs.local import LocalBlobStore
from docsieve.blobs.port import FilePart, SignedRequest
from docsieve.blobs.sealed.envelope import CHUNK_BYTES, CONTENT_BYTES, HEADER_BYTES, MAGIC
from docsieve.blobs.sealed.store import SealedBlobStore
from docsieve.domain.documents import BLOB_FOLDERS, image_key, original_key, owner_of, pages_key, part_key
from docsieve.errors import BlobMissing
from docsieve.errors.blobs import BlobSealBroken, EncryptionKeyDeleted, EncryptionKeyUnavailable

from ..sources import MIB, chunks_of
from .keys import OTHER, TENANT, KeysInMemory

KEY = f"documents/{TENANT}/0/original"
SECRET = b"nothing of this may be readable" * 10_000
SIGNED = SignedRequest("https://bucket/…", {})


class Signing(LocalBlobStore):
    """Signs requests as an object store does, and counts the bytes that are read."""

    read = 0

    async def sign_put(self, key: str, *, seconds: int) -> SignedRequest | None:
        return SIGNED

    async def sign_get(self, key: str, *, seconds: int) -> SignedRequest | None:
        return SIGNED

    async def get(self, key: str, *, start: int = 0, length: int | None = None) -> bytes:
        content = await super().get(key, start=start, length=length)
        self.read += len(content)
        return content


@pytest.fixture
async def below(tmp_path: Path) -> AsyncIterator[Signing]:
    store = Signing(tmp_path / "blobs")
    yield store
    await store.close()


@pytest.fixture
def keys() -> KeysInMemory:
    return KeysInMemory()


@pytest.fixture
def store(below: Signing, keys: KeysInMemory) -> SealedBlobStore:
    return SealedBlobStore(below, keys)


def test_every_kind_of_blob_belongs_to_its_tenant() -> None:
    pages = pages_key(TENANT, "ab" * 32, "pdfium", "5")
    made = [original_key(TENANT, OTHER), part_key(TENANT, OTHER, 1), pages, image_key(pages, 1, 800)]
    assert [owner_of(key) for key in made] == [TENANT] * 4
    assert [key.partition("/")[0] for key in made] == list(BLOB_FOLDERS)
    assert [owner_of(key) for key in ("probes/1", "documents/x", f"other/{TENANT}/0", "")] == [None] * 4


async def test_the_store_below_holds_no_readable_byte_however_it_was_stored(
    store: SealedBlobStore, below: Signing, tmp_path: Path
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    for name in ("put", "whole", "pack"):
        (folder / name).write_bytes(SECRET)
    stored = [
        await store.put(f"{KEY}/1", chunks_of(SECRET)),
        await store.put_file(f"{KEY}/2", folder / "put"),
        *(
            await store.take_files(
                {
                    f"{KEY}/3": FilePart(f"{folder}/whole"),
                    f"{KEY}/4": FilePart(f"{folder}/pack", 0, len(SECRET)),
                    f"{KEY}/5": FilePart(f"{folder}/pack", 31, 31),
                }
            )
        ).values(),
    ]
    await store.create(f"{KEY}/6", SECRET)
    await store.copy(f"{KEY}/6", f"{KEY}/7")

    assert {each.sha256 for each in stored[:4]} == {hashlib.sha256(SECRET).hexdigest()}
    assert [each.size for each in stored] == [len(SECRET)] * 4 + [31]
    for number in range(1, 8):
        assert SECRET[:31] not in await below.get(f"{KEY}/{number}")
        assert await store.get(f"{KEY}/{number}") == (SECRET[:31] if number == 5 else SECRET)
    assert sorted(path.name for path in folder.iterdir()) == ["pack", "put"]


async def test_a_file_that_is_a_link_is_not_followed(store: SealedBlobStore, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"of the host")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match="symbolic links"):
        await store.take_files({KEY: FilePart(str(tmp_path / "link"))})


async def test_what_was_stored_before_encryption_stays_readable_until_it_is_written_again(
    store: SealedBlobStore, below: Signing, keys: KeysInMemory, tmp_path: Path
) -> None:
    keys.on = False
    await store.put(KEY, chunks_of(SECRET))
    assert await below.get(KEY) == SECRET
    keys.on = True

    assert (await store.get(KEY), await store.size(KEY)) == (SECRET, len(SECRET))
    assert await store.get(KEY, start=-5) == SECRET[-5:]
    assert await store.download(KEY, tmp_path / "copy") == len(SECRET)
    assert await store.sealed_with(KEY) is None
    await store.put(KEY, store.stream(KEY))
    assert await store.sealed_with(KEY) == (await keys.current(TENANT)).id
    assert await store.get(KEY) == SECRET


async def test_without_a_master_key_sealed_blobs_are_named_and_others_work(
    store: SealedBlobStore, keys: KeysInMemory, tmp_path: Path
) -> None:
    await store.put(KEY, chunks_of(b"sealed"))
    keys.on = False
    await store.put(f"{KEY}-plain", chunks_of(b"plain"))

    for read in (
        store.get(KEY),
        store.get(KEY, start=1, length=2),
        store.size(KEY),
        store.download(KEY, tmp_path / "copy"),
        anext(store.stream(KEY)),
    ):
        with pytest.raises(EncryptionKeyUnavailable):
            await read
    assert await store.get(f"{KEY}-plain", start=1) == b"lain"
    assert await store.exists(KEY)
    await store.delete(KEY)
    assert not await store.exists(KEY)


async def test_a_range_reads_only_the_chunks_it_needs(store: SealedBlobStore, below: Signing) -> None:
    content = bytes(index % 253 for index in range(40 * CONTENT_BYTES + 17))
    await store.put(KEY, chunks_of(content))
    await store.get(KEY, start=1, length=1)

    for start, length, chunks in ((3 * CONTENT_BYTES - 5, 10, 2), (7, 8, 1), (-10, None, 1), (len(content) + 9, 5, 1)):
        below.read = 0
        expected = content[start:] if length is None else content[start : start + length]
        assert await store.get(KEY, start=start, length=length) == expected
        assert below.read <= chunks * CHUNK_BYTES


async def _damage(below: Signing, change: str) -> None:
    content = bytearray(await below.get(KEY))
    if change == "a bit":
        content[HEADER_BYTES + 5] ^= 1
    elif change == "the salt":
        content[HEADER_BYTES - 1] ^= 1
    elif change == "the end":
        del content[HEADER_BYTES + 3 * CHUNK_BYTES :]
    elif change == "all but the header":
        del content[HEADER_BYTES:]
    elif change == "a part of the header":
        del content[HEADER_BYTES - 9 :]
    elif change == "the order":
        chunk = (
            slice(HEADER_BYTES, HEADER_BYTES + CHUNK_BYTES),
            slice(HEADER_BYTES + CHUNK_BYTES, HEADER_BYTES + 2 * CHUNK_BYTES),
        )
        content[chunk[0]], content[chunk[1]] = content[chunk[1]], content[chunk[0]]
    await below.put(KEY, chunks_of(bytes(content)))


@pytest.mark.parametrize(
    "change", ["a bit", "the salt", "the end", "all but the header", "a part of the header", "the order"]
)
async def test_a_blob_that_was_changed_in_the_store_is_never_read(
    store: SealedBlobStore, below: Signing, tmp_path: Path, change: str
) -> None:
    await store.put(KEY, chunks_of(SECRET))
    await _damage(below, change)

    with pytest.raises(BlobSealBroken) as broken:
        await store.get(KEY)
    assert broken.value.code == "blob_seal_broken"
    with pytest.raises(BlobSealBroken):
        await store.get(KEY, start=10, length=len(SECRET) - 20)
    if change in ("the end", "all but the header"):
        with pytest.raises(BlobSealBroken):
            await store.get(KEY, start=-3)
        with pytest.raises(BlobSealBroken):
            await store.get(KEY, start=-2 * CONTENT_BYTES - 10, length=5)
        with pytest.raises(BlobSealBroken):
            await store.get(KEY, start=len(SECRET) + 1, length=3)
    with pytest.raises(BlobSealBroken):
        await store.download(KEY, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    with pytest.raises(BlobSealBroken):
        [chunk async for chunk in store.stream(KEY)]


async def test_a_blob_that_was_copied_to_another_key_in_the_store_does_not_open(
    store: SealedBlobStore, below: Signing
) -> None:
    await store.put(KEY, chunks_of(b"mine"))
    await below.copy(KEY, f"{KEY}-other")
    await below.copy(KEY, KEY.replace(str(TENANT), str(OTHER)))

    with pytest.raises(BlobSealBroken):
        await store.get(f"{KEY}-other")
    with pytest.raises(EncryptionKeyDeleted):
        await store.get(KEY.replace(str(TENANT), str(OTHER)))


async def test_without_the_data_key_a_blob_cannot_be_read(store: SealedBlobStore, keys: KeysInMemory) -> None:
    await store.put(KEY, chunks_of(b"sealed"))
    await store.get(KEY, start=1)
    del keys.keys[TENANT]

    with pytest.raises(EncryptionKeyDeleted):
        await store.get(KEY)
    with pytest.raises(EncryptionKeyDeleted):
        await store.get(KEY, start=1)


async def test_no_client_is_sent_to_the_store_for_what_is_sealed(
    store: SealedBlobStore, below: Signing, keys: KeysInMemory
) -> None:
    assert await store.sign_put(KEY, seconds=60) is None
    assert await store.sign_get(KEY, seconds=60) is None
    keys.on = False
    assert await store.sign_put(KEY, seconds=60) == SIGNED
    assert await store.sign_get(KEY, seconds=60) == SIGNED
    keys.rotate()
    assert await store.sign_get(KEY, seconds=60) is None, "it may be sealed"


async def test_readers_see_the_content_while_it_is_sealed_again_and_again(
    store: SealedBlobStore, below: Signing, keys: KeysInMemory
) -> None:
    """Another process seals the blob, at first one that is not sealed, while this one reads it in every way."""
    content = bytes(index % 241 for index in range(2 * MIB + 5))
    await below.put(KEY, chunks_of(content))
    other = SealedBlobStore(below, keys)
    finished, reads = asyncio.Event(), [0, 0, 0]

    async def rotate() -> None:
        for _ in range(12):
            keys.rotate()
            await other.put(KEY, other.stream(KEY))
        finished.set()

    async def read_ranges(start: int) -> None:
        while not finished.is_set():
            assert await store.get(KEY, start=start, length=100_000) == content[start:][:100_000]
            reads[0] += 1

    async def read_all() -> None:
        while not finished.is_set():
            assert await store.get(KEY) == content
            assert await store.size(KEY) == len(content)
            reads[1] += 1

    async def stream() -> None:
        while not finished.is_set():
            assert b"".join([chunk async for chunk in store.stream(KEY)]) == content
            reads[2] += 1

    async with asyncio.TaskGroup() as group:
        for work in (rotate(), read_ranges(7), read_ranges(-150_000), read_ranges(MIB), read_all(), stream()):
            group.create_task(work)

    assert min(reads) > 3
    assert await store.sealed_with(KEY) == (await keys.current(TENANT)).id


async def test_a_range_of_a_blob_that_is_sealed_just_after_it_was_read_is_the_content(
    below: Signing, keys: KeysInMemory
) -> None:
    """The bytes of a range do not say whether they are sealed, so the order of the two requests matters."""

    class SealedMeanwhile(Signing):
        """Seals the blob after the first request of a reader."""

        async def get(self, key: str, *, start: int = 0, length: int | None = None) -> bytes:
            found = await below.get(key, start=start, length=length)
            if not found.startswith(MAGIC) and await other.sealed_with(KEY) is None:
                await other.put(KEY, chunks_of(SECRET))
            return found

    other = SealedBlobStore(below, keys)
    await below.put(KEY, chunks_of(SECRET))
    meanwhile = SealedMeanwhile(below._root)
    try:
        assert await SealedBlobStore(meanwhile, keys).get(KEY, start=40, length=50) == SECRET[40:90]
    finally:
        await meanwhile.close()


async def test_a_missing_blob_that_was_sealed_before_is_missing(store: SealedBlobStore, below: Signing) -> None:
    await store.put(KEY, chunks_of(SECRET))
    await store.get(KEY, start=1, length=1)
    await below.delete(KEY)
    for start, length in ((1, 1), (-4, None), (10**9, 1), (3, 0)):
        with pytest.raises(BlobMissing):
            await store.get(KEY, start=start, length=length)


async def test_a_source_that_is_left_early_is_closed(store: SealedBlobStore) -> None:
    closed = []

    async def source() -> AsyncGenerator[bytes, None]:
        try:
            yield b"x" * (3 * MIB)
            raise RuntimeError
        finally:
            closed.append(True)

    with pytest.raises(RuntimeError):
        await store.put(KEY, source())
    assert closed == [True]
