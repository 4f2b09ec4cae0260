"""7z archives. `py7zr` would do, but it is not under a permissive license and stops at the first damaged entry."""

import os
import stat
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from docsieve.archives.port import ArchiveEnds, Entry, EntryRefused, Refusal
from docsieve.archives.sevenzip import header
from docsieve.archives.sevenzip.coders import AES, decode
from docsieve.archives.sevenzip.header import ENCODED_HEADER, File, Folder, Header, HeaderDamaged
from docsieve.archives.streams import packed_pieces
from docsieve.errors import CorruptDocument, PasswordRequired, PasswordWrong
from docsieve.errors.archives import ArchiveTruncated

_START = struct.Struct("<6s2BLQQL")
_MAX_HEADER_BYTES = 64 * 1024**2
_MAX_NESTED_HEADERS = 4
_HAS_UNIX_MODE, _REPARSE_POINT, _DIRECTORY = 0x8000, 0x400, 0x10


class SevenZipReader:
    """Opening raises CorruptDocument, ArchiveTruncated, PasswordRequired or PasswordWrong: names may be encrypted."""

    listable = True
    sequential = True

    def __init__(self, file: BinaryIO, password: str | None) -> None:
        self._file = file
        self._password = password
        try:
            self._header = self._read_header()
        except HeaderDamaged as error:
            raise CorruptDocument("The directory of the 7z archive is damaged.") from error

    def entries(self, start: int) -> Iterator[Entry]:
        contents = self._contents()
        for number, described in enumerate(self._header.files):
            content = next(contents, None) if described.has_content else None
            if described.has_content and content is None:
                raise ArchiveEnds(Refusal.corrupt)
            if number >= start:
                yield _entry(described, content)

    def _contents(self) -> "Iterator[_Content]":
        for folder in self._header.folders:
            stream = _FolderStream(self._file, folder, self._password)
            begin = 0
            for size, crc in folder.files:
                yield _Content(stream, begin, size, crc)
                begin += size

    def _read_header(self) -> Header:
        total = self._file.seek(0, os.SEEK_END)
        self._file.seek(0)
        start = self._file.read(_START.size)
        if len(start) < _START.size:
            raise ArchiveTruncated
        *_, offset, size, crc = _START.unpack(start)
        if not size:
            return Header([], [])
        if _START.size + offset + size > total:
            raise ArchiveTruncated
        if size > _MAX_HEADER_BYTES:
            raise HeaderDamaged
        self._file.seek(_START.size + offset)
        content = self._file.read(size)
        header.check(content, crc)
        is_encrypted = False
        try:
            for _ in range(_MAX_NESTED_HEADERS):
                if content[:1] != bytes([ENCODED_HEADER]):
                    return header.parse_header(content)
                folders = header.parse_streams(content[1:])
                is_encrypted |= any(coder.id == AES for folder in folders for coder in folder.coders)
                content = self._decoded(folders)
        except HeaderDamaged as error:
            if is_encrypted:  # a wrong password makes noise of it, and not every program writes a checksum
                raise PasswordWrong from error
            raise
        raise HeaderDamaged

    def _decoded(self, folders: list[Folder]) -> bytes:
        if len(folders) != 1 or folders[0].size > _MAX_HEADER_BYTES:
            raise HeaderDamaged
        try:
            return b"".join(
                _Content(_FolderStream(self._file, folders[0], self._password), 0, *folders[0].files[0]).chunks()
            )
        except EntryRefused as refused:
            if refused.code is Refusal.password_required:
                raise PasswordRequired from refused
            if refused.code is Refusal.password_wrong:
                raise PasswordWrong from refused
            raise HeaderDamaged from refused


def _entry(described: File, content: "_Content | None") -> Entry:
    mode = described.attributes >> 16 if described.attributes & _HAS_UNIX_MODE else 0
    refusal = None
    if stat.S_ISLNK(mode) or described.attributes & _REPARSE_POINT:
        refusal = Refusal.symbolic_link
    elif stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        refusal = Refusal.special_file
    is_directory = described.is_directory or described.is_anti or bool(described.attributes & _DIRECTORY)
    if content is None:
        return Entry(described.name, is_directory=is_directory, refusal=refusal)
    return Entry(described.name, content.chunks, lambda: content.consumed, is_directory=is_directory, refusal=refusal)


class _FolderStream:
    """The unpacked bytes of a folder, read forward; skipping back starts over."""

    def __init__(self, file: BinaryIO, folder: Folder, password: str | None) -> None:
        self._file = file
        self._folder = folder
        self._password = password
        self._chunks: Iterator[bytes] | None = None
        self._held = b""
        self._position = 0
        self.consumed = 0
        self.is_encrypted = any(coder.id == AES for coder in folder.coders)

    def read(self, begin: int, size: int) -> Iterator[bytes]:
        if self._chunks is None or begin < self._position:
            self._chunks, self._held, self._position = self._unpack(), b"", 0
        for _ in self._take(begin - self._position):
            pass
        yield from self._take(size)

    def _take(self, size: int) -> Iterator[bytes]:
        assert self._chunks is not None
        while size:
            if not self._held:
                self._held = next(self._chunks, b"")
                if not self._held:
                    raise EntryRefused(Refusal.truncated)
            piece, self._held = self._held[:size], self._held[size:]
            size -= len(piece)
            self._position += len(piece)
            yield piece

    def _unpack(self) -> Iterator[bytes]:
        if not self._folder.coders:
            raise EntryRefused(Refusal.unsupported_method)
        chunks = self._packed()
        for coder, size in zip(self._folder.coders, self._folder.sizes, strict=True):
            chunks = decode(coder, chunks, size, self._password)
        return chunks

    def _packed(self) -> Iterator[bytes]:
        for piece in packed_pieces(self._file, _START.size + self._folder.offset, self._folder.packed_size):
            self.consumed += len(piece)
            yield piece


class _Content:
    def __init__(self, stream: _FolderStream, begin: int, size: int, crc: int | None) -> None:
        self._stream = stream
        self._begin = begin
        self._size = size
        self._crc = crc
        self._consumed_before = 0

    @property
    def consumed(self) -> int:
        return self._stream.consumed - self._consumed_before

    def chunks(self) -> Iterator[bytes]:
        """With a wrong password, the content is garbage: it does not decompress, or its checksum is wrong."""
        self._consumed_before = self._stream.consumed
        crc = 0
        try:
            for chunk in self._stream.read(self._begin, self._size):
                crc = zlib.crc32(chunk, crc)
                yield chunk
        except EntryRefused as refused:
            if self._stream.is_encrypted and refused.code in (Refusal.corrupt, Refusal.truncated):
                raise EntryRefused(Refusal.password_wrong) from refused
            raise
        if self._crc is not None and crc != self._crc:
            raise EntryRefused(Refusal.password_wrong if self._stream.is_encrypted else Refusal.checksum_mismatch)
