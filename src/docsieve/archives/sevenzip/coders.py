"""The coders of 7z: each turns a stream of chunks into another."""

import hashlib
import lzma
import struct
from collections.abc import Iterator

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from docsieve.archives.port import EntryRefused, Refusal
from docsieve.archives.sevenzip.header import Coder
from docsieve.archives.streams import (
    BZIP2_MEMBERS,
    MAX_DICTIONARY,
    Inflater,
    decompressed,
    inflate64_chunks,
    lzma_chunks,
    zstd_chunks,
)

_COPY, _LZMA2, _LZMA = b"\x00", b"\x21", b"\x03\x01\x01"
_DEFLATE, _DEFLATE64, _BZIP2, _ZSTD = b"\x04\x01\x08", b"\x04\x01\x09", b"\x04\x02\x02", b"\x04\xf7\x11\x01"
AES = b"\x06\xf1\x07\x01"
_DELTA = b"\x03"
_BRANCHES = {
    b"\x04": lzma.FILTER_X86,
    b"\x03\x03\x01\x03": lzma.FILTER_X86,
    b"\x05": lzma.FILTER_POWERPC,
    b"\x03\x03\x02\x05": lzma.FILTER_POWERPC,
    b"\x06": lzma.FILTER_IA64,
    b"\x03\x03\x04\x01": lzma.FILTER_IA64,
    b"\x07": lzma.FILTER_ARM,
    b"\x03\x03\x05\x01": lzma.FILTER_ARM,
    b"\x08": lzma.FILTER_ARMTHUMB,
    b"\x03\x03\x07\x01": lzma.FILTER_ARMTHUMB,
    b"\x09": lzma.FILTER_SPARC,
    b"\x03\x03\x08\x05": lzma.FILTER_SPARC,
}
_MAX_HASHES = 24
_FRAME_BYTES = 64 * 1024
_BLOCK = 16


def decode(coder: Coder, packed: Iterator[bytes], size: int, password: str | None) -> Iterator[bytes]:
    """The chunks that a coder makes of others. `size` is how many bytes that are.

    Raises EntryRefused for a coder that is not supported or needs a password.
    """
    match coder.id:
        case b"\x00":
            return packed
        case b"\x21":
            return decompressed(packed, lambda: _lzma2(coder.properties))
        case b"\x03\x01\x01":
            return lzma_chunks(packed, coder.properties[:5], size)
        case b"\x04\x01\x08":
            return decompressed(packed, lambda: Inflater(-15))
        case b"\x04\x01\x09":
            return inflate64_chunks(packed)
        case b"\x04\x02\x02":
            return decompressed(packed, BZIP2_MEMBERS)
        case b"\x04\xf7\x11\x01":
            return zstd_chunks(packed)
        case b"\x06\xf1\x07\x01":
            if password is None:
                raise EntryRefused(Refusal.password_required)
            return _decrypt(packed, coder.properties, password, size)
        case b"\x03":
            distance = coder.properties[0] + 1 if coder.properties else 1
            return _filtered(packed, {"id": lzma.FILTER_DELTA, "dist": distance})
    if coder.id in _BRANCHES:
        return _filtered(packed, {"id": _BRANCHES[coder.id]})
    raise EntryRefused(Refusal.unsupported_method)


def _lzma2(properties: bytes) -> lzma.LZMADecompressor:
    if not properties or properties[0] > 40:
        raise EntryRefused(Refusal.corrupt)
    bits = properties[0]
    dictionary = 0xFFFF_FFFF if bits == 40 else (2 | bits & 1) << bits // 2 + 11
    if dictionary > MAX_DICTIONARY:
        raise EntryRefused(Refusal.unsupported_method)
    return lzma.LZMADecompressor(
        format=lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": max(dictionary, 4096)}]
    )


def _filtered(chunks: Iterator[bytes], filter_: dict[str, int]) -> Iterator[bytes]:
    """Undo a filter. `lzma` applies filters to LZMA only, so the chunks are framed as uncompressed LZMA2."""

    def framed() -> Iterator[bytes]:
        control = b"\x01"  # the first frame resets the dictionary
        for chunk in chunks:
            for start in range(0, len(chunk), _FRAME_BYTES):
                piece = chunk[start : start + _FRAME_BYTES]
                yield control + struct.pack(">H", len(piece) - 1) + piece
                control = b"\x02"
        yield b"\x00"

    chain = [filter_, {"id": lzma.FILTER_LZMA2, "dict_size": _FRAME_BYTES}]
    return decompressed(framed(), lambda: lzma.LZMADecompressor(format=lzma.FORMAT_RAW, filters=chain))


def _decrypt(packed: Iterator[bytes], properties: bytes, password: str, size: int) -> Iterator[bytes]:
    if len(properties) < 2:
        raise EntryRefused(Refusal.corrupt)
    first, second = properties[:2]
    salt_size = (first >> 7 & 1) + (second >> 4)
    vector_size = (first >> 6 & 1) + (second & 0x0F)
    salt = properties[2 : 2 + salt_size]
    vector = properties[2 + salt_size : 2 + salt_size + vector_size].ljust(_BLOCK, b"\x00")
    key = _key(first & 0x3F, salt, password.encode("utf-16-le"))
    decryptor = Cipher(algorithms.AES(key), modes.CBC(vector)).decryptor()
    held, left = b"", size
    for piece in packed:
        held += piece
        whole = len(held) - len(held) % _BLOCK
        plain = decryptor.update(held[:whole])[:left]
        held = held[whole:]
        left -= len(plain)
        if plain:
            yield plain


def _key(power: int, salt: bytes, password: bytes) -> bytes:
    if power == 0x3F:
        return (salt + password)[:32].ljust(32, b"\x00")
    if power > _MAX_HASHES:
        raise EntryRefused(Refusal.unsupported_method)
    digest = hashlib.sha256()
    prefix = salt + password
    for start in range(0, 1 << power, 4096):
        rounds = range(start, min(start + 4096, 1 << power))
        digest.update(b"".join([prefix + number.to_bytes(8, "little") for number in rounds]))
    return digest.digest()
