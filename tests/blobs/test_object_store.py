"""What the object store adds: nothing unseen stays in the bucket, and a bucket that is not there is a failure."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from docsieve.blobs.object_store import ObjectBlobStore
from docsieve.errors import BlobStoreError
from tests.emulators.stores import Emulator

from .sources import broken_after, chunks_of, mebibytes


async def unfinished_uploads(endpoint: str, bucket: str) -> int:
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"{endpoint}/{bucket}", params={"uploads": ""})
    assert "<ListMultipartUploadsResult" in answer.text
    return answer.text.count("<Upload>")


async def test_parts_of_an_upload_under_way_are_seen_as_unfinished(s3: Emulator, bucket: str) -> None:
    seen = []

    async def source() -> AsyncIterator[bytes]:
        async for chunk in mebibytes(20):
            yield chunk
        seen.append(await unfinished_uploads(f"http://127.0.0.1:{s3.port}", bucket))

    await ObjectBlobStore(f"s3://{bucket}").put("key", source())

    assert [*seen, await unfinished_uploads(f"http://127.0.0.1:{s3.port}", bucket)] == [1, 0]


async def test_a_source_that_fails_leaves_no_parts_in_the_bucket(s3: Emulator, bucket: str) -> None:
    with pytest.raises(RuntimeError):
        await ObjectBlobStore(f"s3://{bucket}").put("key", broken_after(20, RuntimeError()))

    assert await unfinished_uploads(f"http://127.0.0.1:{s3.port}", bucket) == 0


async def test_a_cancelled_put_leaves_no_parts_in_the_bucket(s3: Emulator, bucket: str) -> None:
    reached = asyncio.Event()

    async def source() -> AsyncIterator[bytes]:
        async for chunk in mebibytes(20):
            yield chunk
        reached.set()
        await asyncio.Event().wait()

    put = asyncio.create_task(ObjectBlobStore(f"s3://{bucket}").put("key", source()))
    await reached.wait()
    put.cancel()
    await asyncio.wait([put])

    assert await unfinished_uploads(f"http://127.0.0.1:{s3.port}", bucket) == 0


@pytest.mark.parametrize("count", [1, 10])
async def test_a_bucket_that_is_not_there_is_a_failure_of_the_store(bucket: str, count: int) -> None:
    store = ObjectBlobStore(f"s3://{bucket}-absent")

    with pytest.raises(BlobStoreError):
        await store.put("key", mebibytes(count))
    with pytest.raises(BlobStoreError):
        await store.check()
    with pytest.raises(BlobStoreError):
        [info async for info in store.list()]


async def test_folders_of_one_bucket_do_not_see_each_other(bucket: str) -> None:
    await ObjectBlobStore(f"s3://{bucket}/one").put("key", chunks_of(b"x"))

    assert [info async for info in ObjectBlobStore(f"s3://{bucket}/two").list()] == []
