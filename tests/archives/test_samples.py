"""Archives that other programs wrote: 7z in its common methods, and encrypted ones.

`a.txt` and `b.txt` were packed by bsdtar 3.6 (ZIP) and py7zr 1.1 (7z); the password is `secret`.
"""

from pathlib import Path

import pytest

from docsieve.archives.port import Refusal
from docsieve.errors import DocumentError, PasswordRequired, PasswordWrong
from docsieve.errors.archives import ArchiveTruncated
from tests.archives.making import unpack

SAMPLES = Path(__file__).parent / "samples"
FILES = {"a.txt": b"The first letter.", "b.txt": b"The second letter."}
PLAIN = ["lzma2", "lzma", "bcj", "delta", "bzip2", "deflate", "zstd", "copy"]


@pytest.mark.parametrize("method", PLAIN)
def test_a_7z_archive_is_unpacked_completely(tmp_path: Path, method: str) -> None:
    assert unpack(tmp_path, (SAMPLES / f"{method}.7z").read_bytes())[1] == FILES


def test_a_later_slice_of_a_7z_archive_skips_what_comes_before(tmp_path: Path) -> None:
    assert unpack(tmp_path, (SAMPLES / "lzma2.7z").read_bytes(), start=1)[1] == {"b.txt": FILES["b.txt"]}


def test_a_7z_method_without_a_permissive_library_is_refused(tmp_path: Path) -> None:
    found, files = unpack(tmp_path, (SAMPLES / "ppmd.7z").read_bytes())

    assert [entry.code for entry in found.entries] == [Refusal.unsupported_method] * 2
    assert files == {}


@pytest.mark.parametrize("name", ["aes256.zip", "zipcrypto.zip", "aes.7z", "aes-names.7z"])
def test_an_encrypted_archive_is_unpacked_with_its_password(tmp_path: Path, name: str) -> None:
    assert unpack(tmp_path, (SAMPLES / name).read_bytes(), password="secret")[1] == FILES


@pytest.mark.parametrize("name", ["aes256.zip", "zipcrypto.zip", "aes.7z"])
@pytest.mark.parametrize(("password", "code"), [(None, Refusal.password_required), ("wrong", Refusal.password_wrong)])
def test_without_the_right_password_every_entry_is_refused(
    tmp_path: Path, name: str, password: str | None, code: Refusal
) -> None:
    found, files = unpack(tmp_path, (SAMPLES / name).read_bytes(), password=password)

    assert [entry.code for entry in found.entries] == [code] * 2
    assert files == {}


def test_without_the_right_password_encrypted_names_cannot_be_listed(tmp_path: Path) -> None:
    content = (SAMPLES / "aes-names.7z").read_bytes()
    with pytest.raises(PasswordRequired):
        unpack(tmp_path, content)
    (tmp_path / "x").mkdir()
    with pytest.raises(PasswordWrong):
        unpack(tmp_path / "x", content, password="wrong")


@pytest.mark.parametrize(
    "name", [f"{method}.7z" for method in [*PLAIN, "ppmd", "aes"]] + ["aes256.zip", "zipcrypto.zip"]
)
def test_no_damage_to_an_archive_does_more_than_refuse_it_or_some_of_its_entries(tmp_path: Path, name: str) -> None:
    whole = (SAMPLES / name).read_bytes()
    for place in range(0, len(whole), 3):
        folder = tmp_path / str(place)
        folder.mkdir()
        damaged = whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]
        if not damaged.startswith((b"PK\x03\x04", b"7z\xbc\xaf\x27\x1c")):
            continue
        try:
            _, files = unpack(folder, damaged, password="secret")
        except DocumentError:
            continue
        assert all(content in FILES.values() for content in files.values()), place


def test_a_7z_archive_without_its_end_is_truncated(tmp_path: Path) -> None:
    with pytest.raises(ArchiveTruncated):
        unpack(tmp_path, (SAMPLES / "lzma2.7z").read_bytes()[:-20])
