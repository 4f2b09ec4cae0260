"""Honest archives of every kind are unpacked completely."""

import bz2
import gzip
import io
import lzma
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from docsieve.archives import unpack as unpacking
from docsieve.archives.port import Refusal
from docsieve.archives.types import BZIP2, GZIP, SEVEN_ZIP, TAR, XZ, ZIP, ZSTD, detect
from docsieve.errors import CorruptDocument
from docsieve.errors.archives import ArchiveSplit, ArchiveTruncated
from tests.archives.making import codes, tar_of, unpack, zip_of

FILES = (("a.txt", b"The first."), ("deep/b.txt", b"The second. " * 5000))
COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    GZIP: gzip.compress,
    BZIP2: bz2.compress,
    XZ: lzma.compress,
    ZSTD: zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_of_any_common_method_is_unpacked_completely(tmp_path: Path, method: int) -> None:
    found, files = unpack(tmp_path, zip_of(*FILES, method=method))

    assert files == dict(FILES)
    assert (found.ended, found.incomplete, found.bytes) == (True, None, sum(len(data) for _, data in FILES))


def test_entries_larger_than_one_read_or_with_long_extra_fields_are_unpacked_completely(tmp_path: Path) -> None:
    large, odd = bytes(range(256)) * 1024, b"Behind a long extra field."
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("large.txt", b"Text. " * 50_000 + large.hex().encode())
        info = zipfile.ZipInfo("odd.txt")
        info.extra = b"\xfe\xca" + (3000).to_bytes(2, "little") + b"x" * 3000
        archive.writestr(info, odd)

    _, files = unpack(tmp_path, file.getvalue())

    assert files == {"large.txt": b"Text. " * 50_000 + large.hex().encode(), "odd.txt": odd}


@pytest.mark.parametrize("media_type", [TAR, *COMPRESSIONS])
def test_a_tar_is_unpacked_completely_whatever_compressed_it(tmp_path: Path, media_type: str) -> None:
    content = tar_of(*FILES)
    packed = COMPRESSIONS[media_type](content) if media_type in COMPRESSIONS else content

    assert detect(packed[:8192]) == media_type
    assert unpack(tmp_path, packed)[1] == dict(FILES)


@pytest.mark.parametrize(("media_type", "ending"), [(GZIP, ".gz"), (BZIP2, ".bz2"), (XZ, ".xz"), (ZSTD, ".zst")])
def test_a_single_compressed_file_is_named_after_its_archive(tmp_path: Path, media_type: str, ending: str) -> None:
    packed = COMPRESSIONS[media_type](b"A letter.")

    assert unpack(tmp_path, packed, name=f"letter.txt{ending}")[1] == {"letter.txt": b"A letter."}


def test_a_gzip_file_of_several_members_is_one_file(tmp_path: Path) -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two") + b"\x00" * 512

    assert unpack(tmp_path, packed, name="x.gz")[1] == {"x": b"one two"}


@pytest.mark.parametrize("media_type", [GZIP, BZIP2, XZ])
def test_streams_with_padding_between_them_are_one_file(tmp_path: Path, media_type: str) -> None:
    compress = COMPRESSIONS[media_type]

    assert unpack(tmp_path, compress(b"one ") + bytes(8) + compress(b"two"), name="x")[1] == {"x": b"one two"}


@pytest.mark.parametrize("media_type", [GZIP, BZIP2, XZ])
@pytest.mark.parametrize("behind", [b"x", b"garbage", b"garbage " * 10])
def test_what_follows_the_last_stream_is_ignored(tmp_path: Path, media_type: str, behind: bytes) -> None:
    assert unpack(tmp_path, COMPRESSIONS[media_type](b"one") + behind, name="x")[1] == {"x": b"one"}


def test_a_small_file_with_a_wrong_checksum_is_damaged_and_not_empty(tmp_path: Path) -> None:
    with pytest.raises(CorruptDocument):
        unpack(tmp_path, gzip.compress(b"A letter.")[:-8] + bytes(8), name="x.gz")


def test_a_zstandard_file_that_ends_early_is_truncated(tmp_path: Path) -> None:
    packed = zstandard.ZstdCompressor().compress(os.urandom(400_000))

    found, files = unpack(tmp_path, packed[:300_000], name="x.zst")

    assert (codes(found), files) == ({"x": Refusal.truncated}, {})


def test_frames_that_zstandard_skips_may_come_first_and_in_between(tmp_path: Path) -> None:
    note = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"note"
    compress = COMPRESSIONS[ZSTD]

    assert unpack(tmp_path, note + compress(b"one ") + note + compress(b"two"), name="x")[1] == {"x": b"one two"}


def test_a_slice_begins_where_the_one_before_ended(tmp_path: Path) -> None:
    for content in (zip_of(*FILES), gzip.compress(tar_of(*FILES))):
        folder = tmp_path / detect(content[:8192]).replace("/", "-")  # type: ignore[union-attr]
        folder.mkdir()
        found, files = unpack(folder, content, start=1)
        assert files == dict(FILES[1:])
        assert [entry.number for entry in found.entries] == [1]


def test_a_full_slice_is_the_last_one_if_nothing_follows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (zip_of(*FILES), gzip.compress(tar_of(*FILES))):
        folder = tmp_path / detect(content[:8192]).replace("/", "-")  # type: ignore[union-attr]
        folder.mkdir()
        for limit in ("SLICE_FILES", "SEQUENTIAL_SLICE_FILES"):
            monkeypatch.setattr(unpacking, limit, 1)
        assert not unpack(folder, content)[0].ended
        assert unpack(folder, content, start=len(FILES) - 1)[0].ended


def test_a_zip_whose_first_entry_is_a_pdf_is_a_zip() -> None:
    assert detect(zip_of(("a.pdf", b"%PDF-1.7\n"), method=zipfile.ZIP_STORED)) == ZIP


def test_an_old_tar_without_a_magic_number_is_recognized_by_its_checksum() -> None:
    block = bytearray(tar_of(("a.txt", b"x"))[:512])
    block[257:] = bytes(255)
    block[148:156] = b" " * 8
    block[148:156] = f"{sum(block):06o}".encode() + b"\x00 "

    assert detect(bytes(block)) == TAR
    block[0] += 1
    assert detect(bytes(block)) is None


def test_text_and_other_files_are_not_archives() -> None:
    assert [detect(head) for head in (b"", b"PK", b"7z", b"BZh9 is a word", b"x" * 1024, bytes(1024))] == [None] * 6
    assert detect(b"7z\xbc\xaf\x27\x1c") == SEVEN_ZIP


def test_a_zip_without_its_end_is_truncated_and_a_part_of_a_split_one_is_split(tmp_path: Path) -> None:
    whole = zip_of(*FILES)
    with pytest.raises(ArchiveTruncated):
        unpack(tmp_path, whole[: len(whole) // 2])
    split = bytearray(whole)
    split[len(whole) - 18] = 1  # the number of this part
    (tmp_path / "x").mkdir()
    with pytest.raises(ArchiveSplit):
        unpack(tmp_path / "x", bytes(split))


def test_what_comes_before_the_cut_of_a_compressed_tar_is_unpacked(tmp_path: Path) -> None:
    first, second = ("a.txt", b"first " * 50_000), ("b.txt", bytes(range(1, 256)) * 4000)
    packed = gzip.compress(tar_of(first, second))

    found, files = unpack(tmp_path, packed[: len(packed) - 200])

    assert files == {"a.txt": first[1]}
    assert (found.entries[-1].path, found.entries[-1].code) == ("b.txt", Refusal.truncated)
