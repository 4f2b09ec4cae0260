"""Tar archives, plain or decompressed on the way, read with `tarfile`."""

import tarfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO, cast

from docsieve.archives.names import decode
from docsieve.archives.port import CHUNK_BYTES, ArchiveEnds, Entry, EntryRefused, Refusal
from docsieve.archives.streams import ForwardFile
from docsieve.archives.types import TAR_BLOCK
from docsieve.errors import CorruptDocument
from docsieve.errors.archives import ArchiveTruncated

# A plain tar is a file, which cannot be read at the places that a header may claim: an OSError.
_ERRORS = (tarfile.TarError, EOFError, ValueError, OverflowError, OSError)


class _Member(tarfile.TarInfo):
    """`tarfile` takes a damaged header for the end of the archive; this one says what it is."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> "_Member":
        try:
            return super().fromtarfile(tarfile_)
        except tarfile.InvalidHeaderError as error:  # type: ignore[attr-defined]  # missing in its stubs
            raise EntryRefused(Refusal.corrupt) from error
        except tarfile.TruncatedHeaderError as error:  # type: ignore[attr-defined]
            raise EntryRefused(Refusal.truncated) from error


class TarReader:
    """`consumed` counts packed bytes; a plain tar is as large as its contents, so it has no ratio to speak of."""

    def __init__(self, file: IO[bytes] | ForwardFile, *, listable: bool, consumed: Callable[[], int]) -> None:
        self.listable = listable
        self.sequential = not listable
        self._consumed = consumed
        self._is_damaged = False
        try:
            # Undecodable bytes become surrogates, from which the original bytes can be restored.
            self._tar = tarfile.open(  # noqa: SIM115  the file is closed by its owner
                fileobj=cast("IO[bytes]", file),
                mode="r:",
                encoding="utf-8",
                errors="surrogateescape",
                tarinfo=_Member,
            )
        except _ERRORS as error:
            raise CorruptDocument("The tar archive is damaged.") from error
        except EntryRefused as refused:
            if refused.code is Refusal.truncated:
                raise ArchiveTruncated from refused
            raise CorruptDocument("The archive is damaged.") from refused

    def entries(self, start: int) -> Iterator[Entry]:
        number = 0
        while (member := self._next()) is not None:
            self._tar.members.clear()  # type: ignore[attr-defined]  # it would keep them all
            if number >= start:
                yield self._entry(member)
            number += 1
        if self._is_damaged:
            raise ArchiveEnds(Refusal.corrupt)

    def _next(self) -> tarfile.TarInfo | None:
        """The next member. Behind a damaged header, the next good one is looked for, as GNU tar does."""
        try:
            while True:
                try:
                    return self._tar.next()
                except EntryRefused as refused:
                    if refused.code is not Refusal.corrupt:
                        raise ArchiveEnds(refused.code) from refused
                    self._is_damaged = True
                    self._tar.offset += TAR_BLOCK
        except _ERRORS as error:
            raise ArchiveEnds(Refusal.truncated) from error

    def _entry(self, member: tarfile.TarInfo) -> Entry:
        path = _text(member.name)
        if member.isdir():
            return Entry(path, is_directory=True)
        if member.issym():
            return Entry(path, refusal=Refusal.symbolic_link)
        if member.islnk():
            return Entry(path, refusal=Refusal.hard_link)
        if not member.isreg():
            return Entry(path, refusal=Refusal.special_file)
        before = self._consumed()
        return Entry(path, lambda: self._chunks(member), lambda: self._consumed() - before)

    def _chunks(self, member: tarfile.TarInfo) -> Iterator[bytes]:
        try:
            content = self._tar.extractfile(member)
            assert content is not None
            left = member.size
            while left > 0:
                chunk = content.read(min(left, CHUNK_BYTES))
                if not chunk:
                    raise EntryRefused(Refusal.truncated)
                left -= len(chunk)
                yield chunk
        except _ERRORS as error:
            raise EntryRefused(Refusal.truncated) from error


def _text(name: str) -> str:
    with suppress(UnicodeEncodeError):
        name.encode()
        return name
    return decode(name.encode("utf-8", "surrogateescape"))
