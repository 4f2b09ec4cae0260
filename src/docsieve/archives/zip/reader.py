"""ZIP archives: entries from the central directory, content from the place it names."""

import mmap
import os
import stat
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

from isal import isal_zlib

from docsieve.archives.names import decode
from docsieve.archives.port import ArchiveEnds, Entry, EntryRefused, Refusal
from docsieve.archives.streams import (
    BZIP2_MEMBERS,
    XZ_MEMBERS,
    Inflater,
    Pieces,
    decompressed,
    inflate64_chunks,
    lzma_chunks,
    packed_pieces,
    zstd_chunks,
)
from docsieve.archives.zip.directory import (
    AES,
    MASKED_BY_STRONG_ENCRYPTION,
    UNICODE_PATH,
    Directory,
    Record,
)
from docsieve.archives.zip.encryption import AES_METHOD, AesField, decrypt_aes, decrypt_zipcrypto
from docsieve.archives.zip.overlaps import overlapping

LOCAL = struct.Struct("<4s5H3L2H")
_LOCAL_LENGTHS = struct.Struct("<2H")  # of name and extra fields, the last of the header
_USUAL_EXTRA_BYTES = 64
_READ_AT_ONCE_BYTES = 64 * 1024
LOCAL_SIGNATURE = b"PK\x03\x04"
_ENCRYPTED, _ENDS_WITH_MARK, _SIZES_FOLLOW, _UTF8 = 0x0001, 0x0002, 0x0008, 0x0800
_DOS_DIRECTORY = 0x10
_UNIX = (3, 19)

STORED, DEFLATED, DEFLATED64, BZIPPED, LZMA, XZ = 0, 8, 9, 12, 14, 95
_ZSTD = (93, 20)

Decompress = Callable[[Iterator[bytes]], Iterator[bytes]]


class ZipReader:
    """Opening raises ArchiveTruncated or ArchiveSplit."""

    listable = True
    sequential = False

    def __init__(self, file: BinaryIO, password: str | None) -> None:
        self._file = file
        self._password = password
        self._directory = Directory.find(file)
        self._mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._overlapping = overlapping(self._directory.ranges(self._mapped), self._directory.start)

    def entries(self, start: int) -> Iterator[Entry]:
        number = start - 1
        for number, record in enumerate(self._directory.records(self._mapped, start), start):
            yield self._entry(number, record)
        if number + 1 < self._directory.announced:
            raise ArchiveEnds(Refusal.corrupt)
        if self._directory.shift and self._mapped[: len(LOCAL_SIGNATURE)] == LOCAL_SIGNATURE:
            raise ArchiveEnds(Refusal.several_archives)

    def _entry(self, number: int, record: Record) -> Entry:
        path = _name(record)
        if _is_directory(record, path):
            return Entry(path, is_directory=True)
        refusal = Refusal.overlapping if number in self._overlapping else self._refusal(record)
        if refusal is not None:
            return Entry(path, refusal=refusal)
        content = _Content(self._file, record, self._password)
        return Entry(path, content.chunks, lambda: content.consumed)

    def _refusal(self, record: Record) -> Refusal | None:
        """What the directory alone shows."""
        kind = stat.S_IFMT(record.attributes >> 16) if record.system in _UNIX else 0
        if kind == stat.S_IFLNK:
            return Refusal.symbolic_link
        # A pipe with content is what a program packed from its standard input.
        if kind not in (0, stat.S_IFREG) and not (kind == stat.S_IFIFO and record.size):
            return Refusal.special_file
        if record.offset is None:
            return Refusal.corrupt
        if record.flags & MASKED_BY_STRONG_ENCRYPTION:
            return Refusal.unsupported_method
        if record.flags & _ENCRYPTED and self._password is None:
            return Refusal.password_required
        return None


def _name(record: Record) -> str:
    unicode_path = record.extras.get(UNICODE_PATH, b"")
    if record.flags & _UTF8:
        stated: bytes = record.name
    elif len(unicode_path) > 5 and int.from_bytes(unicode_path[1:5], "little") == zlib.crc32(record.name):
        stated = unicode_path[5:]
    else:
        return decode(record.name)
    try:
        return stated.decode()
    except UnicodeDecodeError:
        return decode(record.name)


def _is_directory(record: Record, path: str) -> bool:
    if path.endswith(("/", "\\")) and not record.size:
        return True
    if record.system in _UNIX:
        return stat.S_ISDIR(record.attributes >> 16)
    return bool(record.attributes & _DOS_DIRECTORY) and not record.size


class _Content:
    """The chunks of one entry; `consumed` counts its packed bytes."""

    def __init__(self, file: BinaryIO, record: Record, password: str | None) -> None:
        self._file = file
        self._record = record
        self._password = password
        self.consumed = 0

    def chunks(self) -> Iterator[bytes]:
        record = self._record
        method, has_crc = record.method, True
        packed = self._packed()
        if record.flags & _ENCRYPTED:
            assert self._password is not None
            if method == AES_METHOD:
                field = AesField(record.extras.get(AES, b""))
                method, has_crc = field.method, field.has_crc
                packed = decrypt_aes(packed, record.packed_size, field, self._password)
            else:
                check = record.time >> 8 if record.flags & _SIZES_FOLLOW else record.crc >> 24
                packed = decrypt_zipcrypto(packed, check, self._password)
        return self._checked(_method(record, method)(packed), has_crc=has_crc)

    def _packed(self) -> Iterator[bytes]:
        """The header and the content of a small entry are one read."""
        record = self._record
        assert record.offset is not None
        wanted = LOCAL.size + len(record.name) + _USUAL_EXTRA_BYTES + min(record.packed_size, _READ_AT_ONCE_BYTES)
        head = os.pread(self._file.fileno(), wanted, record.offset)
        if len(head) < LOCAL.size:
            raise EntryRefused(Refusal.truncated)
        if not head.startswith(LOCAL_SIGNATURE):
            raise EntryRefused(Refusal.corrupt)
        name_size, extra_size = _LOCAL_LENGTHS.unpack_from(head, LOCAL.size - _LOCAL_LENGTHS.size)
        begin = LOCAL.size + name_size + extra_size
        first = head[begin : begin + record.packed_size]
        if first:
            self.consumed += len(first)
            yield first
        rest = record.packed_size - len(first)
        for piece in packed_pieces(self._file, record.offset + begin + len(first), rest) if rest else ():
            self.consumed += len(piece)
            yield piece

    def _checked(self, chunks: Iterator[bytes], *, has_crc: bool) -> Iterator[bytes]:
        size, crc = 0, 0
        for chunk in chunks:
            size += len(chunk)
            if size > self._record.size:
                raise EntryRefused(Refusal.size_mismatch)
            crc = isal_zlib.crc32(chunk, crc)
            yield chunk
        if size != self._record.size:
            raise EntryRefused(Refusal.size_mismatch)
        if has_crc and crc != self._record.crc:
            raise EntryRefused(Refusal.checksum_mismatch)


def _method(record: Record, number: int) -> Decompress:
    """Raises EntryRefused for a method that is not supported."""
    if number == STORED:
        return iter
    if number == DEFLATED:
        return lambda packed: decompressed(packed, lambda: Inflater(-15))
    if number == DEFLATED64:
        return inflate64_chunks
    if number == BZIPPED:
        return lambda packed: decompressed(packed, BZIP2_MEMBERS)
    if number == LZMA:
        return lambda packed: _lzma(packed, None if record.flags & _ENDS_WITH_MARK else record.size)
    if number == XZ:
        return lambda packed: decompressed(packed, XZ_MEMBERS)
    if number in _ZSTD:
        return zstd_chunks
    raise EntryRefused(Refusal.unsupported_method)


def _lzma(packed: Iterator[bytes], size: int | None) -> Iterator[bytes]:
    """The stream begins with the version of a program and the length of the filter's properties."""
    source = Pieces(packed)
    if source.take(4)[2:] != b"\x05\x00":
        raise EntryRefused(Refusal.corrupt)
    return lzma_chunks(source.rest(), source.take(5), size)
