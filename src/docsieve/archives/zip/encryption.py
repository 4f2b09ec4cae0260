"""Decrypts ZIP entries: WinZip's AES and the original cipher."""

import hashlib
import hmac
import zlib
from collections.abc import Iterator

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from docsieve.archives.port import EntryRefused, Refusal
from docsieve.archives.streams import Pieces

AES_METHOD = 99
_ROUNDS = 1000
_VERIFIER_BYTES, _SEAL_BYTES, _BLOCK = 2, 10, 16
_KEY_BYTES = {1: 16, 2: 24, 3: 32}
_ZIPCRYPTO_HEADER = 12

_CRC_TABLE = tuple(zlib.crc32(bytes([byte]), 0xFFFF_FFFF) ^ 0xFFFF_FFFF for byte in range(256))


def passwords(password: str) -> list[bytes]:
    """The password in the encodings that programs use."""
    found = [password.encode()]
    for encoding in ("cp437", "cp1252"):
        encoded = password.encode(encoding, "replace")
        if encoded not in found and b"?" not in encoded:
            found.append(encoded)
    return found


class AesField:
    """The extra field of an entry that is encrypted with AES: version, key strength and the real method."""

    def __init__(self, extra: bytes) -> None:
        if len(extra) < 7 or extra[4] not in _KEY_BYTES:
            raise EntryRefused(Refusal.corrupt)
        self.key_bytes = _KEY_BYTES[extra[4]]
        self.method = int.from_bytes(extra[5:7], "little")
        self.has_crc = extra[:2] == b"\x01\x00"


def decrypt_aes(packed: Iterator[bytes], packed_size: int, field: AesField, password: str) -> Iterator[bytes]:
    """Raises EntryRefused for a wrong password, and after the last chunk if the content was changed."""
    source = Pieces(packed)
    salt = source.take(field.key_bytes // 2)
    verifier = source.take(_VERIFIER_BYTES)
    left = packed_size - len(salt) - _VERIFIER_BYTES - _SEAL_BYTES
    if left < 0:
        raise EntryRefused(Refusal.corrupt)
    for candidate in passwords(password):
        keys = hashlib.pbkdf2_hmac("sha1", candidate, salt, _ROUNDS, 2 * field.key_bytes + _VERIFIER_BYTES)
        if hmac.compare_digest(keys[-_VERIFIER_BYTES:], verifier):
            break
    else:
        raise EntryRefused(Refusal.password_wrong)
    # ECB of a counter is counter mode.
    encrypt = Cipher(algorithms.AES(keys[: field.key_bytes]), modes.ECB()).encryptor()  # noqa: S305
    seal = hmac.new(keys[field.key_bytes : 2 * field.key_bytes], digestmod="sha1")
    counter = 1
    while left:
        piece = source.take(min(left, 64 * 1024))
        left -= len(piece)
        seal.update(piece)
        blocks = -(-len(piece) // _BLOCK)
        # The counter is little-endian, which no library offers as a mode.
        counters = np.zeros((blocks, 2), dtype="<u8")
        counters[:, 0] = np.arange(counter, counter + blocks, dtype="<u8")
        counter += blocks
        stream = np.frombuffer(encrypt.update(counters.tobytes()), dtype=np.uint8)[: len(piece)]
        yield (np.frombuffer(piece, dtype=np.uint8) ^ stream).tobytes()
    if not hmac.compare_digest(seal.digest()[:_SEAL_BYTES], source.take(_SEAL_BYTES)):
        raise EntryRefused(Refusal.checksum_mismatch)


def decrypt_zipcrypto(packed: Iterator[bytes], check: int, password: str) -> Iterator[bytes]:
    """`check` is the byte that the right password makes of the last byte of the header."""
    source = Pieces(packed)
    header = source.take(_ZIPCRYPTO_HEADER)
    for candidate in passwords(password):
        cipher = _ZipCrypto(candidate)
        if cipher.decrypt(header)[-1] == check:
            break
    else:
        raise EntryRefused(Refusal.password_wrong)
    for piece in source.rest():
        yield cipher.decrypt(piece)


class _ZipCrypto:
    def __init__(self, password: bytes) -> None:
        self._keys = (0x12345678, 0x23456789, 0x34567890)
        self._update(password)

    def _update(self, plain: bytes) -> None:
        first, second, third = self._keys
        for byte in plain:
            first = (first >> 8) ^ _CRC_TABLE[(first ^ byte) & 0xFF]
            second = ((second + (first & 0xFF)) * 134775813 + 1) & 0xFFFF_FFFF
            third = (third >> 8) ^ _CRC_TABLE[(third ^ (second >> 24)) & 0xFF]
        self._keys = (first, second, third)

    def decrypt(self, packed: bytes) -> bytes:
        first, second, third = self._keys
        table = _CRC_TABLE
        plain = bytearray(packed)
        for place, byte in enumerate(packed):
            mixed = third | 2
            byte ^= ((mixed * (mixed ^ 1)) >> 8) & 0xFF
            plain[place] = byte
            first = (first >> 8) ^ table[(first ^ byte) & 0xFF]
            second = ((second + (first & 0xFF)) * 134775813 + 1) & 0xFFFF_FFFF
            third = (third >> 8) ^ table[(third ^ (second >> 24)) & 0xFF]
        self._keys = (first, second, third)
        return bytes(plain)
