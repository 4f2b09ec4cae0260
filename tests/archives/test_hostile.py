"""Hostile and damaged archives: each trick has a code, and the other entries are not affected."""

import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from docsieve.archives import unpack as unpacking
from docsieve.archives.port import Refusal, Skipped
from tests.archives.making import PLENTY, codes, raw_zip, tar_of, unpack, zip_of

GOOD = ("good.txt", b"A letter.")


def deflate(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


@pytest.mark.parametrize(
    "name", ["../evil.txt", "a/../../evil.txt", "..\\evil.txt", "C:\\..\\evil.txt", "/../evil.txt"]
)
def test_a_path_that_leaves_the_archive_is_refused_and_the_others_are_unpacked(tmp_path: Path, name: str) -> None:
    for content in (zip_of((name, b"x"), GOOD), tar_of((name, b"x"), GOOD)):
        folder = tmp_path / str(len(content))
        folder.mkdir()
        found, files = unpack(folder, content)
        assert [entry.code for entry in found.entries] == [Refusal.unsafe_path, None]
        assert files == dict([GOOD])
        assert sorted(path.name for path in folder.iterdir()) == ["archive", "from-0"]


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("/etc/passwd", "etc/passwd"),
        ("C:\\Users\\me\\a.txt", "Users/me/a.txt"),
        ("a/./b//c.txt", "a/b/c.txt"),
        ("a/x/../b.txt", "a/b.txt"),
        ("cafe\u0301.txt", "caf\u00e9.txt"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("a\x07b.txt", "ab.txt"),
    ],
)
def test_paths_are_normalized(tmp_path: Path, name: str, stored: str) -> None:
    assert list(unpack(tmp_path, tar_of((name, b"x")))[1]) == [stored]


def test_names_that_are_too_long_or_not_names_are_refused(tmp_path: Path) -> None:
    found, _ = unpack(tmp_path, tar_of(("x" * 300, b"x"), ("y/" * 600 + "z", b"x"), ("\u202e", b"x")))

    assert [entry.code for entry in found.entries] == [
        Refusal.name_too_long,
        Refusal.name_too_long,
        Refusal.name_invalid,
    ]
    assert all(0 < len(entry.path) <= 1024 for entry in found.entries)


def test_links_and_special_files_are_refused_each_with_its_code(tmp_path: Path) -> None:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name, kind in (
            ("s", tarfile.SYMTYPE),
            ("h", tarfile.LNKTYPE),
            ("d", tarfile.CHRTYPE),
            ("f", tarfile.FIFOTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    found, files = unpack(tmp_path, content.getvalue())

    assert list(codes(found).values()) == [
        Refusal.symbolic_link,
        Refusal.hard_link,
        Refusal.special_file,
        Refusal.special_file,
    ]
    assert files == {}


def test_a_symbolic_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    link = (b"link", 0, (stat.S_IFLNK | 0o777) << 16, b"/etc/passwd", b"/etc/passwd")
    found, files = unpack(tmp_path, raw_zip(link, (b"good.txt", 0, 0, b"A letter.", b"A letter.")))

    assert codes(found) == {"link": Refusal.symbolic_link, "good.txt": None}
    assert files == dict([GOOD])


def test_of_entries_that_share_their_bytes_only_the_first_is_unpacked(tmp_path: Path) -> None:
    kernel = deflate(b"a" * 1_000_000)
    honest = raw_zip((b"a", 8, 0, kernel, b"a" * 1_000_000))
    directory_at = struct.unpack_from("<L", honest, len(honest) - 6)[0]
    record = honest[directory_at:-22]
    bomb = honest[:directory_at] + record * 50
    bomb += struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 50, 50, len(record) * 50, directory_at, 0)

    found, files = unpack(tmp_path, bomb)

    assert [entry.code for entry in found.entries] == [None, *[Refusal.overlapping] * 49]
    assert (found.bytes, list(files)) == (1_000_000, ["a"])


def test_a_header_that_lies_about_a_size_or_a_checksum_refuses_that_entry_only(tmp_path: Path) -> None:
    content = b"x" * 1000
    short = (b"short", 8, 0, deflate(content), content[:10])
    long = (b"long", 8, 0, deflate(content), content + b"more")
    wrong = (b"wrong", 8, 0, deflate(content), b"y" * 1000)
    broken = (b"broken", 8, 0, b"\xff" * 40, content)
    found, files = unpack(tmp_path, raw_zip(short, long, wrong, broken, (b"good.txt", 0, 0, GOOD[1], GOOD[1])))

    assert codes(found) == {
        "short": Refusal.size_mismatch,
        "long": Refusal.size_mismatch,
        "wrong": Refusal.checksum_mismatch,
        "broken": Refusal.corrupt,
        "good.txt": None,
    }
    assert files == dict([GOOD])


@pytest.mark.parametrize("method", [1, 2, 6, 10, 98])
def test_an_unsupported_method_refuses_that_entry_only(tmp_path: Path, method: int) -> None:
    found, files = unpack(tmp_path, raw_zip((b"old", method, 0, b"x", b"x"), (b"good.txt", 0, 0, GOOD[1], GOOD[1])))

    assert codes(found) == {"old": Refusal.unsupported_method, "good.txt": None}
    assert files == dict([GOOD])


def test_the_size_of_an_entry_is_counted_while_it_is_decompressed(tmp_path: Path) -> None:
    limits = replace(PLENTY, entry_bytes=50_000)
    for content in (zip_of(("big", b"x" * 60_000), GOOD), gzip.compress(tar_of(("big", b"x" * 60_000), GOOD))):
        folder = tmp_path / str(len(content))
        folder.mkdir()
        found, files = unpack(folder, content, budget=limits)
        assert codes(found)["big"] == Refusal.entry_too_large
        assert files.keys() <= {"good.txt"}


def test_after_the_limit_on_bytes_every_entry_of_a_zip_is_listed_as_refused(tmp_path: Path) -> None:
    files = [(f"{number}.txt", os.urandom(500).hex().encode()) for number in range(10)]
    found, unpacked = unpack(tmp_path, zip_of(*files), budget=replace(PLENTY, bytes=3_500))

    assert list(unpacked) == ["0.txt", "1.txt", "2.txt"]
    assert [entry.code for entry in found.entries[3:]] == [Refusal.archive_too_large] * 7
    assert found.incomplete is None


def test_after_the_limit_on_bytes_a_compressed_tar_is_not_decompressed_further(tmp_path: Path) -> None:
    packed = gzip.compress(tar_of(*[(f"{number}.txt", b"x" * 100_000) for number in range(100)]))
    found, unpacked = unpack(tmp_path, packed, budget=replace(PLENTY, bytes=250_000))

    assert list(unpacked) == ["0.txt", "1.txt"]
    assert [entry.code for entry in found.entries] == [None, None, Refusal.archive_too_large]
    assert found.incomplete == Refusal.archive_too_large


def test_what_is_skipped_in_a_compressed_tar_counts_too(tmp_path: Path) -> None:
    packed = gzip.compress(tar_of(("x.bin", bytes(400_000)), GOOD))
    found, _ = unpack(tmp_path, packed, budget=replace(PLENTY, bytes=250_000))

    assert (codes(found), found.incomplete) == ({"x.bin": Refusal.archive_too_large}, Refusal.archive_too_large)


def test_a_ratio_that_no_document_has_refuses_the_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "_ENTRY_FLOOR", 1024 * 1024)
    found, files = unpack(tmp_path, zip_of(("bomb", b"x" * 8_000_000), GOOD))

    assert codes(found) == {"bomb": Refusal.ratio_exceeded, "good.txt": None}
    assert files == dict([GOOD])


def test_many_small_bombs_exceed_the_ratio_of_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "_ARCHIVE_FLOOR", 1024 * 1024)
    content = zip_of(*[(f"{number}", b"x" * 400_000) for number in range(8)])
    found, _ = unpack(tmp_path, content, budget=replace(PLENTY, packed_bytes=len(content)))

    assert [entry.code for entry in found.entries] == [None, None, *[Refusal.ratio_exceeded] * 6]


def test_entries_beyond_their_number_are_listed_as_refused(tmp_path: Path) -> None:
    found, _ = unpack(
        tmp_path, zip_of(*[(f"{number}.txt", b"x") for number in range(5)]), budget=replace(PLENTY, entries=3)
    )

    assert [entry.code for entry in found.entries] == [None, None, None, *[Refusal.too_many_entries] * 2]


def test_archives_inside_are_refused_where_they_would_be_too_deep(tmp_path: Path) -> None:
    found, _ = unpack(tmp_path, zip_of(("inner.zip", zip_of(GOOD)), GOOD), budget=replace(PLENTY, nested=False))

    assert codes(found) == {"inner.zip": Refusal.nested_too_deep, "good.txt": None}


def test_an_entry_that_takes_too_long_is_refused(tmp_path: Path) -> None:
    found, _ = unpack(tmp_path, zip_of(GOOD), budget=replace(PLENTY, entry_seconds=-1.0))

    assert codes(found) == {"good.txt": Refusal.timeout}


def test_directories_litter_and_empty_files_are_skipped_each_with_its_reason(tmp_path: Path) -> None:
    names = ["a/", "__MACOSX/a/._x.txt", "a/.DS_Store", "Thumbs.db", "b/desktop.ini", "empty.txt"]
    found, files = unpack(tmp_path, zip_of(*[(name, b"" if name in ("a/", "empty.txt") else b"x") for name in names]))

    assert list(codes(found).values()) == [Skipped.directory, *[Skipped.litter] * 4, Skipped.empty]
    assert files == {}


def test_equal_names_and_names_that_differ_in_case_are_all_unpacked(tmp_path: Path) -> None:
    with pytest.warns(UserWarning):
        content = zip_of(("a.txt", b"one"), ("a.txt", b"two"), ("A.TXT", b"three"), method=zipfile.ZIP_STORED)
    found, _ = unpack(tmp_path, content)

    assert [(entry.path, entry.size) for entry in found.entries] == [("a.txt", 3), ("a.txt", 3), ("A.TXT", 5)]


def test_an_entry_that_claims_the_bytes_of_the_next_one_is_refused_and_the_next_one_is_unpacked(tmp_path: Path) -> None:
    content = bytearray(zip_of(("greedy.txt", b"Greedy."), GOOD, method=0))
    record = content.find(b"PK\x01\x02")
    struct.pack_into("<2L", content, record + 20, 60, 60)

    found, files = unpack(tmp_path, bytes(content))

    assert codes(found) == {"greedy.txt": Refusal.overlapping, GOOD[0]: None}
    assert files == dict([GOOD])


def test_a_damaged_record_of_a_directory_costs_its_entry_only_and_is_mentioned(tmp_path: Path) -> None:
    content = zip_of(("first.txt", b"First."), ("lost.txt", b"Lost."), GOOD)
    second = content.find(b"PK\x01\x02", content.find(b"PK\x01\x02") + 4)

    found, files = unpack(tmp_path, content[:second] + b"XX" + content[second + 2 :])

    assert files == {"first.txt": b"First.", **dict([GOOD])}
    assert found.incomplete is Refusal.corrupt


def test_a_directory_with_fewer_records_than_it_announces_is_incomplete(tmp_path: Path) -> None:
    content = zip_of(GOOD, ("lost.txt", b"Lost."))
    end, last = content.rfind(b"PK\x05\x06"), content.rfind(b"PK\x01\x02")

    found, files = unpack(tmp_path, content[:last] + content[end:])

    assert (files, found.incomplete) == (dict([GOOD]), Refusal.corrupt)


def test_of_joined_zips_the_last_is_unpacked_and_the_others_are_mentioned(tmp_path: Path) -> None:
    found, files = unpack(tmp_path, zip_of(("other.txt", b"Other.")) + zip_of(GOOD))

    assert (files, found.incomplete) == (dict([GOOD]), Refusal.several_archives)


def test_a_comment_that_looks_like_the_end_of_a_zip_is_a_comment(tmp_path: Path) -> None:
    comment = b"PK\x05\x06" + b"x" * 26

    _, files = unpack(tmp_path, zip_of(GOOD)[:-2] + struct.pack("<H", len(comment)) + comment)

    assert files == dict([GOOD])


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_a_damaged_header_in_a_tar_costs_its_entry_only_and_is_mentioned(
    tmp_path: Path, compress: Callable[[bytes], bytes]
) -> None:
    content = bytearray(tar_of(("first.txt", b"First."), ("lost.txt", b"Lost."), GOOD))
    content[1024 + 148 : 1024 + 156] = b"0000000\0"

    found, files = unpack(tmp_path, compress(bytes(content)))

    assert files == {"first.txt": b"First.", **dict([GOOD])}
    assert found.incomplete is Refusal.corrupt


@pytest.mark.parametrize("size", ["99999999999999", "9223372036854775807", "-5", "abc"])
def test_a_tar_header_that_claims_an_impossible_size_ends_the_archive(tmp_path: Path, size: str) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, headers in ((GOOD[0], {}), ("liar.txt", {"size": size})):
            info = tarfile.TarInfo(name)
            info.size, info.pax_headers = len(GOOD[1]), headers
            archive.addfile(info, io.BytesIO(GOOD[1]))

    found, files = unpack(tmp_path, file.getvalue())

    assert files == dict([GOOD])
    assert found.incomplete is not None or codes(found)["liar.txt"] is Refusal.truncated
