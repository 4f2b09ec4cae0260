"""Compressed streams, decompressed as they are read and never further ahead."""

import bz2
import io
import lzma
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO, BinaryIO, Protocol, cast

import zstandard
from isal import isal_zlib
from stream_inflate import stream_inflate64

from docsieve.archives.port import CHUNK_BYTES, EntryRefused, Refusal
from docsieve.archives.types import BZIP2, GZIP, XZ, ZSTD

_PACKED_BYTES = 64 * 1024
# The stubs of `isal` declare its class of errors as an instance.
_ERRORS = (cast("type[Exception]", isal_zlib.error), OSError, lzma.LZMAError, EOFError)
_MARK_BYTES = 32
MAX_DICTIONARY = 256 * 1024**2
_MAX_HEADER_BYTES = 4 * 1024**2


class Decompressor(Protocol):
    """What `bz2` and `lzma` offer."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class Inflater:
    """Deflate with the interface of the others, by a library that is twice as fast as `zlib`."""

    def __init__(self, window_bits: int) -> None:
        self._inner = isal_zlib.decompressobj(window_bits)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max(max_length, 0))


def bounded_lzma(**options: object) -> lzma.LZMADecompressor:
    """A decompressor that refuses to reserve more memory than a dictionary of the largest common size needs."""
    return lzma.LZMADecompressor(memlimit=MAX_DICTIONARY, **options)  # type: ignore[arg-type]


def lzma_chunks(packed: Iterator[bytes], properties: bytes, size: int | None) -> Iterator[bytes]:
    """The first version of LZMA. Containers keep its properties and size elsewhere; without a size, a mark ends it."""
    header = properties + (size if size is not None else 2**64 - 1).to_bytes(8, "little")
    return decompressed(chain([header], packed), lambda: bounded_lzma(format=lzma.FORMAT_ALONE))


@dataclass(frozen=True, slots=True)
class Members:
    """A format of which several streams may follow each other, each with this `magic`."""

    magic: bytes
    new: Callable[[], Decompressor]

    def begins(self, rest: bytes, packed: Iterator[bytes]) -> bytes:
        """The rest from the next stream on, behind padding. Empty if none follows: programs ignore anything else."""
        rest = rest.lstrip(b"\x00")
        while len(rest) < len(self.magic) and (piece := next(packed, b"")):
            rest = (rest + piece).lstrip(b"\x00")
        return rest if rest.startswith(self.magic) else b""


GZIP_MEMBERS = Members(b"\x1f\x8b", lambda: Inflater(31))
BZIP2_MEMBERS = Members(b"BZh", bz2.BZ2Decompressor)
XZ_MEMBERS = Members(b"\xfd7zXZ\x00", lambda: bounded_lzma(format=lzma.FORMAT_XZ))
_MEMBERS = {GZIP: GZIP_MEMBERS, BZIP2: BZIP2_MEMBERS, XZ: XZ_MEMBERS}


def decompressed(packed: Iterator[bytes], format_: Members | Callable[[], Decompressor]) -> Iterator[bytes]:
    """Chunks of at most CHUNK_BYTES of one stream, or of several.

    Raises EntryRefused if the stream is damaged or ends early.
    """
    members = format_ if isinstance(format_, Members) else None
    new = format_.new if isinstance(format_, Members) else format_
    inner = new()
    rest = b""
    try:
        while True:
            ended = False
            if not rest and inner.needs_input and not inner.eof:
                rest = next(packed, b"")
                ended = not rest
            if inner.eof:
                if members is None:
                    next(packed, b"")  # the end of what is encrypted is where its seal is checked
                    return
                rest = members.begins(inner.unused_data, packed)
                if not rest:
                    return
                inner = new()
            chunk = inner.decompress(rest, CHUNK_BYTES)
            rest = b""
            if chunk:
                yield chunk
            elif ended and not inner.eof:
                raise EntryRefused(Refusal.truncated)
    except _ERRORS as error:
        raise EntryRefused(Refusal.corrupt) from error


def zstd_chunks(packed: Iterator[bytes]) -> Iterator[bytes]:
    """Raises EntryRefused if the stream is damaged or ends early.

    The library does not distinguish an early end from a regular one, so another frame is appended: if the stream ends
    early, its content does not come out.
    """
    mark = os.urandom(_MARK_BYTES) * 2  # twice, so that the frame does not contain it as it is
    frame = zstandard.ZstdCompressor().compress(mark)
    reader = zstandard.ZstdDecompressor(max_window_size=MAX_DICTIONARY).stream_reader(
        cast("IO[bytes]", _Pulled(chain(packed, [frame]))), read_size=_PACKED_BYTES, read_across_frames=True
    )
    held = b""
    try:
        while chunk := reader.read(CHUNK_BYTES):
            held += chunk
            if len(held) > len(mark):
                yield held[: -len(mark)]
                held = held[-len(mark) :]
    except zstandard.ZstdError as error:
        raise EntryRefused(Refusal.corrupt) from error
    if held != mark:
        raise EntryRefused(Refusal.truncated)


def packed_pieces(file: BinaryIO, position: int, size: int) -> Iterator[bytes]:
    """A range of a file, of which others may read elsewhere meanwhile. Raises EntryRefused if the file ends in it."""
    end = position + size
    while position < end:
        file.seek(position)
        piece = file.read(min(end - position, _PACKED_BYTES))
        if not piece:
            raise EntryRefused(Refusal.truncated)
        position += len(piece)
        yield piece


class Pieces:
    """Exact amounts from an iterator of chunks."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._held = b""

    def take(self, size: int) -> bytes:
        while len(self._held) < size:
            chunk = next(self._chunks, b"")
            if not chunk:
                raise EntryRefused(Refusal.truncated)
            self._held += chunk
        piece, self._held = self._held[:size], self._held[size:]
        return piece

    def rest(self) -> Iterator[bytes]:
        if self._held:
            yield self._held
        self._held = b""
        yield from self._chunks


def inflate64_chunks(packed: Iterator[bytes]) -> Iterator[bytes]:
    chunks, is_done, _ = stream_inflate64(chunk_size=_PACKED_BYTES)
    try:
        yield from chunks(packed)
    except EntryRefused:
        raise
    except Exception as error:
        raise EntryRefused(Refusal.corrupt) from error
    if not is_done():
        raise EntryRefused(Refusal.truncated)


class _Pulled(io.RawIOBase):
    """An iterator of chunks as a file that is read in pieces no larger than its chunks."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        self._rest = self._rest or next(self._chunks, b"")
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece


class PackedFile:
    """A compressed file as chunks; `consumed` counts the bytes read from the disk."""

    def __init__(self, file: BinaryIO, media_type: str) -> None:
        self._file = file
        self._media_type = media_type
        self.consumed = 0

    def chunks(self) -> Iterator[bytes]:
        if self._media_type == ZSTD:
            return zstd_chunks(self._packed())
        return decompressed(self._packed(), _MEMBERS[self._media_type])

    def _packed(self) -> Iterator[bytes]:
        while piece := self._file.read(_PACKED_BYTES):
            self.consumed += len(piece)
            yield piece


class ForwardFile(io.RawIOBase):
    """Chunks as a file that can be read and skipped forward, as `tarfile` needs it.

    A single read is limited: a header that claims to be gigabytes long must not be read into memory.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._held = memoryview(b"")
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        if whence != io.SEEK_SET or offset < self._position:
            raise EntryRefused(Refusal.corrupt)
        while self._position < offset and (piece := self._take(offset - self._position)):
            self._position += len(piece)
        return self._position

    def read(self, size: int = -1, /) -> bytes:
        if size < 0 or size > _MAX_HEADER_BYTES:
            raise EntryRefused(Refusal.corrupt)
        found = bytearray()
        while len(found) < size and (piece := self._take(size - len(found))):
            found += piece
        self._position += len(found)
        return bytes(found)

    def _take(self, size: int) -> memoryview:
        while not self._held:
            chunk = next(self._chunks, None)
            if chunk is None:
                break
            self._held = memoryview(chunk)
        piece, self._held = self._held[:size], self._held[size:]
        return piece
