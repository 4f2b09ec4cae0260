"""The format of sealed blobs: what it is, byte by byte, and that nothing in it can be changed unnoticed."""

import hashlib
from uuid import UUID

import pytest

from docsieve.blobs.sealed.envelope import (
    CHUNK_BYTES,
    CONTENT_BYTES,
    HEADER_BYTES,
    MAGIC,
    Cipher,
    Header,
    content_bytes,
    sealed_bytes,
)
from docsieve.blobs.sealed.port import DataKey
from docsieve.errors.blobs import BlobSealBroken

KEY = DataKey(UUID(int=7), bytes(range(32)))
HEADER = Header(KEY.id, bytes(range(100, 132)))
CONTENT = bytes(index % 251 for index in range(2 * CONTENT_BYTES + 1000))


def cipher(*, header: Header = HEADER, key: DataKey = KEY, blob_key: str = "pages/x") -> Cipher:
    return Cipher(header, key, blob_key)


def test_a_sealed_blob_is_made_of_known_bytes() -> None:
    """Blobs outlive releases: a change of the format needs another magic."""
    short = cipher().seal(b"hello", last=True)
    assert short.hex() == "bb3f7136da77525238a1c670bc3b34b4d3e96b0271"
    assert (
        hashlib.sha256(bytes(HEADER) + cipher().seal(CONTENT, last=True)).hexdigest()
        == "103de719136586f36498985b79dc0a42bd8736b138229c2154c8c2fdf0840adc"
    )
    assert bytes(HEADER).hex() == MAGIC.hex() + KEY.id.hex + HEADER.salt.hex()


@pytest.mark.parametrize("size", [0, 1, CONTENT_BYTES - 1, CONTENT_BYTES, CONTENT_BYTES + 1, 3 * CONTENT_BYTES])
def test_what_is_sealed_opens_again_and_its_size_is_known(size: int) -> None:
    sealed = cipher().seal(CONTENT[:size] + bytes(max(0, size - len(CONTENT))), last=True)
    assert len(cipher().open(sealed, last=True)) == size
    assert sealed_bytes(size) == HEADER_BYTES + len(sealed)
    assert content_bytes(sealed_bytes(size)) == size


def test_no_two_blobs_are_sealed_alike() -> None:
    one, other = Header.new(KEY.id), Header.new(KEY.id)
    assert cipher(header=one).seal(b"x", last=True) != cipher(header=other).seal(b"x", last=True)


@pytest.mark.parametrize("at", [0, 100, CHUNK_BYTES - 1, CHUNK_BYTES, 2 * CHUNK_BYTES + 1015])
def test_a_changed_bit_is_noticed(at: int) -> None:
    sealed = bytearray(cipher().seal(CONTENT, last=True))
    sealed[at] ^= 1
    with pytest.raises(BlobSealBroken):
        cipher().open(bytes(sealed), last=True)


def _chunks() -> list[bytes]:
    sealed = cipher().seal(CONTENT, last=True)
    return [sealed[start : start + CHUNK_BYTES] for start in range(0, len(sealed), CHUNK_BYTES)]


@pytest.mark.parametrize(
    "order",
    [[1, 0, 2], [0, 2], [0, 1], [0], [], [0, 1, 1, 2], [0, 1, 2, 2]],
    ids=lambda order: "".join(map(str, order)),
)
def test_chunks_that_are_moved_missing_or_doubled_are_noticed(order: list[int]) -> None:
    chunks = _chunks()
    with pytest.raises(BlobSealBroken):
        cipher().open(b"".join(chunks[number] for number in order), last=True)


def test_a_chunk_opens_only_as_the_one_it_is() -> None:
    first, second, _ = _chunks()
    assert cipher().open(second, first=1, last=False) == CONTENT[CONTENT_BYTES : 2 * CONTENT_BYTES]
    for chunk, number, last in ((first, 1, False), (second, 1, True), (second, 2, False)):
        with pytest.raises(BlobSealBroken):
            cipher().open(chunk, first=number, last=last)


@pytest.mark.parametrize(
    "other",
    [
        cipher(blob_key="pages/y"),
        cipher(key=DataKey(KEY.id, bytes(32))),
        cipher(header=Header(KEY.id, bytes(32))),
        cipher(header=Header(UUID(int=8), HEADER.salt)),
    ],
    ids=["blob key", "data key", "salt", "key id"],
)
def test_a_blob_opens_only_under_its_key_and_with_its_header(other: Cipher) -> None:
    with pytest.raises(BlobSealBroken):
        other.open(cipher().seal(b"hello", last=True), last=True)


@pytest.mark.parametrize("stored", [HEADER_BYTES, HEADER_BYTES + 15, sealed_bytes(CONTENT_BYTES) + 16])
def test_a_size_that_no_sealed_blob_has_is_noticed(stored: int) -> None:
    with pytest.raises(BlobSealBroken):
        content_bytes(stored)


def test_a_header_that_is_cut_off_is_noticed_and_other_beginnings_are_not_sealed() -> None:
    with pytest.raises(BlobSealBroken):
        Header.read(bytes(HEADER)[:-1])
    assert Header.read(b"%PDF-1.7") is None
    assert Header.read(b"") is None
    assert Header.read(bytes(HEADER) + b"more") == HEADER
