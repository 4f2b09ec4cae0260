"""Opens an archive with the reader of its format."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from docsieve.archives.port import EntryRefused, Reader, Refusal
from docsieve.archives.sevenzip.reader import SevenZipReader
from docsieve.archives.single import SingleFile
from docsieve.archives.streams import ForwardFile, PackedFile
from docsieve.archives.tar import TarReader
from docsieve.archives.types import SEVEN_ZIP, TAR, TAR_BLOCK, ZIP, is_tar
from docsieve.archives.zip.reader import ZipReader
from docsieve.errors import CorruptDocument
from docsieve.errors.archives import ArchiveTruncated


@dataclass(frozen=True, slots=True)
class Opening:
    """`name` is that of the archive, from which a single compressed file gets its own."""

    media_type: str
    name: str
    password: str | None = field(default=None, repr=False)


@contextmanager
def open_archive(source: Path, opening: Opening) -> Iterator[Reader]:
    with source.open("rb") as file:
        yield _reader(file, opening)


def _reader(file: BinaryIO, opening: Opening) -> Reader:
    if opening.media_type == ZIP:
        return ZipReader(file, opening.password)
    if opening.media_type == SEVEN_ZIP:
        return SevenZipReader(file, opening.password)
    if opening.media_type == TAR:
        return TarReader(file, listable=True, consumed=file.tell)
    return _compressed(file, opening)


def _compressed(file: BinaryIO, opening: Opening) -> Reader:
    packed = PackedFile(file, opening.media_type)
    chunks = packed.chunks()
    first = b""
    try:
        while len(first) < TAR_BLOCK and (chunk := next(chunks, b"")):
            first += chunk
    except EntryRefused as refused:
        if refused.code is Refusal.truncated:
            raise ArchiveTruncated from refused
        raise CorruptDocument("The compressed file is damaged.") from refused
    whole = chain([first], chunks)
    if is_tar(first):
        return TarReader(ForwardFile(whole), listable=False, consumed=lambda: packed.consumed)
    return SingleFile(packed, whole, archive_name=opening.name)
