"""What the local store adds: nothing half-written outlives a killed process, and nothing aside is left behind."""

import asyncio
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from docsieve.blobs.durable import IncomingFile
from docsieve.blobs.local import LocalBlobStore
from docsieve.errors import BlobMissing, BlobStoreError, DiskFull

from .sources import broken_after, chunks_of, mebibytes

STALLED_PUT = """
import asyncio, sys
from pathlib import Path
from docsieve.blobs.local import LocalBlobStore

async def source():
    yield bytes(3_000_000)
    print("written", flush=True)
    await asyncio.Event().wait()

asyncio.run(LocalBlobStore(Path(sys.argv[1])).put("folder/key", source()))
"""


@pytest.fixture
async def local(tmp_path: Path) -> AsyncIterator[LocalBlobStore]:
    store = LocalBlobStore(tmp_path / "blobs")
    yield store
    await store.close()


def files_aside(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "blobs" / ".incoming").iterdir())


@pytest.mark.process
async def test_a_process_killed_during_a_put_leaves_no_key_and_a_file_that_the_sweep_removes(
    local: LocalBlobStore, tmp_path: Path
) -> None:
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STALLED_PUT, str(tmp_path / "blobs"), stdout=asyncio.subprocess.PIPE
    )
    assert writer.stdout is not None
    assert await writer.stdout.readline() == b"written\n"
    writer.kill()
    await writer.communicate()

    assert len(files_aside(tmp_path)) == 1
    with pytest.raises(BlobMissing):
        await local.size("folder/key")
    assert [info async for info in local.list()] == []
    assert local.sweep_incoming() == 0
    assert local.sweep_incoming(timedelta(0)) == 1
    assert files_aside(tmp_path) == []


async def test_opening_a_store_removes_temporary_files_older_than_a_day(local: LocalBlobStore, tmp_path: Path) -> None:
    old, fresh = (tmp_path / "blobs" / ".incoming" / name for name in ("old", "fresh"))
    old.touch()
    fresh.touch()
    yesterday = time.time() - timedelta(days=1, minutes=1).total_seconds()
    os.utime(old, (yesterday, yesterday))

    await LocalBlobStore(tmp_path / "blobs").close()

    assert files_aside(tmp_path) == [fresh]


@pytest.mark.parametrize("count", [0, 3])
async def test_a_source_that_fails_leaves_no_file_aside(local: LocalBlobStore, tmp_path: Path, count: int) -> None:
    with pytest.raises(RuntimeError):
        await local.put("key", broken_after(count, RuntimeError()))

    assert files_aside(tmp_path) == []


async def test_puts_cancelled_at_any_moment_leave_no_file_aside(local: LocalBlobStore, tmp_path: Path) -> None:
    for turns in range(40):
        put = asyncio.create_task(local.put("key", mebibytes(3)))
        for _ in range(turns):
            await asyncio.sleep(0)
        put.cancel()
        await asyncio.wait([put])

    assert files_aside(tmp_path) == []


async def test_a_key_inside_of_another_is_refused_and_leaves_no_file_aside(
    local: LocalBlobStore, tmp_path: Path
) -> None:
    await local.put("a/b", chunks_of(b"x"))

    for key in ("a", "a/b/c"):
        with pytest.raises(BlobStoreError):
            await local.put(key, chunks_of(b"x"))

    assert files_aside(tmp_path) == []
    assert [info.key async for info in local.list()] == ["a/b"]


async def test_bytes_folders_and_names_are_synced_before_put_returns(
    local: LocalBlobStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    real_fsync = os.fsync

    def recording_fsync(descriptor: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{descriptor}"))
        real_fsync(descriptor)

    monkeypatch.setattr(os, "fsync", recording_fsync)
    root = tmp_path / "blobs"

    await local.put("a/b/key", mebibytes(2))
    assert Path(synced[0]).parent == root / ".incoming"
    assert synced[1:] == [str(root), str(root / "a"), str(root / "a" / "b")]

    synced.clear()
    await local.put("a/b/key", chunks_of(b"x"))
    assert synced[1:] == [str(root / "a" / "b")]


async def test_folders_that_were_cleared_away_by_hand_are_made_again(local: LocalBlobStore, tmp_path: Path) -> None:
    await local.put("a/b/1", chunks_of(b"x"))
    await local.delete("a/b/1")
    shutil.rmtree(tmp_path / "blobs" / "a")

    await local.put("a/b/2", chunks_of(b"y"))
    assert await local.get("a/b/2") == b"y"


async def test_a_store_with_too_little_room_reads_and_deletes_but_takes_nothing(
    local: LocalBlobStore, tmp_path: Path
) -> None:
    await local.put("a/b", chunks_of(b"x"))
    source = tmp_path / "source"
    source.write_bytes(b"y")
    full = LocalBlobStore(tmp_path / "blobs", min_free_bytes=2**60)

    for writing in (full.put("a/c", mebibytes(2)), full.put("a/c", chunks_of(b"y")), full.put_file("a/c", source)):
        with pytest.raises(DiskFull, match="blob store is full"):
            await writing
    with pytest.raises(DiskFull):
        await full.check()

    assert await full.get("a/b") == b"x"
    await full.delete("a/b")
    assert [info.key async for info in full.list()] == []
    assert files_aside(tmp_path) == []
    await full.close()


async def test_a_store_whose_disk_refuses_fails_its_check(local: LocalBlobStore, tmp_path: Path) -> None:
    (tmp_path / "blobs" / "probes").write_bytes(b"a file where a folder should be")

    with pytest.raises(BlobStoreError):
        await local.check()


def test_a_write_that_comes_after_the_discard_leaves_no_file(tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    incoming = IncomingFile(str(aside))
    incoming.discard()

    with pytest.raises(FileNotFoundError):
        incoming.write([b"late"])

    assert not aside.exists()
