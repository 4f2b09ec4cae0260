"""Many files are stored at once, whole ones and parts of one, in every kind of store."""

import hashlib
from pathlib import Path

from docsieve.blobs.local import LocalBlobStore
from docsieve.blobs.port import BlobStore, FilePart


async def test_files_and_parts_of_files_are_stored_under_their_keys(tmp_path: Path) -> None:
    store = LocalBlobStore(tmp_path / "blobs")
    copying = _Copying(tmp_path / "others")
    try:
        for number, each in enumerate((store, copying)):
            whole, pack = tmp_path / f"whole-{number}", tmp_path / f"pack-{number}"
            whole.write_bytes(b"whole")
            pack.write_bytes(b"onetwo")

            stored = await each.take_files(
                {
                    "t/a/whole": FilePart(str(whole)),
                    "t/a/one": FilePart(str(pack), 0, 3),
                    "t/b/two": FilePart(str(pack), 3, 3),
                }
            )

            assert {key: await each.get(key) for key in stored} == {
                "t/a/whole": b"whole",
                "t/a/one": b"one",
                "t/b/two": b"two",
            }
            assert stored["t/b/two"].sha256 == hashlib.sha256(b"two").hexdigest()
            assert [blob.size for blob in stored.values()] == [5, 3, 3]
    finally:
        await store.close()
        await copying.close()


async def test_a_file_that_is_moved_into_the_store_is_only_there(tmp_path: Path) -> None:
    store = LocalBlobStore(tmp_path / "blobs")
    try:
        file = tmp_path / "file"
        file.write_bytes(b"x")
        await store.take_files({"t/x": FilePart(str(file))})
        assert not file.exists()
    finally:
        await store.close()


class _Copying(LocalBlobStore):
    """A store that takes files as stores without a file system do."""

    take_files = BlobStore.take_files
