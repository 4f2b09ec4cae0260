"""OLE2 compound files: streams by name. Damage raises CorruptDocument, whatever the library raises."""

import struct
from typing import BinaryIO

import olefile

from docsieve.errors import CorruptDocument

STREAM_BYTES = 256 * 1024**2

# A damaged or hostile file can lead the library's arithmetic anywhere.
_FAILURES = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error, RecursionError)


class Compound:
    def __init__(self, file: BinaryIO) -> None:
        try:
            self._file = olefile.OleFileIO(file)
            names = ["/".join(path) for path in self._file.listdir(streams=True, storages=False)]
        except _FAILURES as error:
            raise CorruptDocument("The document's container is damaged and cannot be opened.") from error
        self._names = {name.lower(): name for name in names}

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._names

    def names_below(self, storage: str) -> list[str]:
        """Return the names of all streams inside a storage, whose path ends with a slash."""
        return [name for lower, name in self._names.items() if lower.startswith(storage.lower())]

    def read(self, name: str, limit: int = STREAM_BYTES) -> bytes:
        """Return the first bytes of a stream; none if there is no such stream."""
        if name not in self:
            return b""
        try:
            content: bytes = self._file.openstream(self._names[name.lower()]).read(limit)
        except _FAILURES as error:
            raise CorruptDocument("A stream of the document is damaged.") from error
        return content
