"""The format of a sealed blob: a header, then chunks that are encrypted with AES-256-GCM.

    header   16 bytes magic, 16 bytes id of the data key, 32 bytes salt
    chunk    64 KiB of content, and 16 bytes that authenticate it; the last has less, and may be empty

Each blob has a key that is derived from the data key and the salt (HKDF-SHA256), so that no two blobs share a nonce.
The nonce of a chunk is its number and whether it is the last; header and blob key are authenticated with it. So a
chunk that was changed, left out, moved within the blob or taken from another blob does not open, and neither does a
blob that was cut off or copied to another key. This is the STREAM construction of Hoang, Reyhanitabar, Rogaway and
Vizár (2015).
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from docsieve.blobs.sealed.port import KEY_BYTES, DataKey
from docsieve.errors.blobs import BlobSealBroken

# Chosen at random, so that no file starts with it by accident.
MAGIC = bytes.fromhex("d5ea1ed0b10b9c0f5d1b6e3a8f47c201")
SALT_BYTES = 32
HEADER_BYTES = len(MAGIC) + 16 + SALT_BYTES
CONTENT_BYTES = 64 * 1024
TAG_BYTES = 16
CHUNK_BYTES = CONTENT_BYTES + TAG_BYTES


@dataclass(frozen=True, slots=True)
class Header:
    key_id: UUID
    salt: bytes

    @classmethod
    def new(cls, key_id: UUID) -> "Header":
        return cls(key_id, os.urandom(SALT_BYTES))

    @classmethod
    def read(cls, beginning: bytes) -> "Header | None":
        """The header of a sealed blob, or None for one that is not sealed."""
        if not beginning.startswith(MAGIC):
            return None
        if len(beginning) < HEADER_BYTES:
            raise BlobSealBroken
        key_id = UUID(bytes=beginning[len(MAGIC) : len(MAGIC) + 16])
        return cls(key_id, beginning[HEADER_BYTES - SALT_BYTES : HEADER_BYTES])

    def __bytes__(self) -> bytes:
        return MAGIC + self.key_id.bytes + self.salt


class Cipher:
    """Seals and opens the chunks of one blob. Every method uses the processor only."""

    def __init__(self, header: Header, data_key: DataKey, blob_key: str) -> None:
        derivation = HKDF(SHA256(), KEY_BYTES, salt=header.salt, info=b"docsieve blob")
        self._aead = AESGCM(derivation.derive(data_key.secret))
        self.header = bytes(header)
        self._context = self.header + blob_key.encode()

    def seal(self, content: bytes, *, first: int = 0, last: bool) -> bytes:
        """Seal content as the chunks from number `first` on. Unless it is the `last`, it fills whole chunks."""
        assert last or len(content) % CONTENT_BYTES == 0
        view = memoryview(content)
        sealed = [
            self._aead.encrypt(_nonce(number, is_last), view[start : start + CONTENT_BYTES], self._context)
            for number, start, is_last in _pieces(len(content), CONTENT_BYTES, first, last)
        ]
        return b"".join(sealed)

    def open(self, chunks: bytes, *, first: int = 0, last: bool) -> bytes:
        """Open the chunks from number `first` on. Raises BlobSealBroken."""
        view = memoryview(chunks)
        try:
            opened = [
                self._aead.decrypt(_nonce(number, is_last), view[start : start + CHUNK_BYTES], self._context)
                for number, start, is_last in _pieces(len(chunks), CHUNK_BYTES, first, last)
            ]
        except (InvalidTag, ValueError) as error:  # the second for less than a tag
            raise BlobSealBroken from error
        return b"".join(opened)


def _pieces(size: int, piece_bytes: int, first: int, last: bool) -> Iterator[tuple[int, int, bool]]:
    """The number and the start of each piece, and whether it is the last. An empty end is a piece too."""
    count = max(-(-size // piece_bytes), int(last))
    for index in range(count):
        yield first + index, index * piece_bytes, last and index == count - 1


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def sealed_bytes(size: int) -> int:
    """How long a blob of so many bytes is when it is sealed."""
    return HEADER_BYTES + size + TAG_BYTES * max(1, -(-size // CONTENT_BYTES))


def content_bytes(stored: int) -> int:
    """How much content a sealed blob of so many bytes has. Raises BlobSealBroken if there can be no such blob."""
    body = stored - HEADER_BYTES
    size = body - TAG_BYTES * max(1, -(-body // CHUNK_BYTES))
    if size < 0 or sealed_bytes(size) != stored:
        raise BlobSealBroken
    return size
