"""A single compressed file, such as `scan.pdf.gz`: one entry, named after the archive."""

from collections.abc import Iterator

from docsieve.archives.port import Entry
from docsieve.archives.streams import PackedFile

_ENDINGS = (".gz", ".bz2", ".xz", ".zst", ".gzip", ".bzip2", ".zstd")


class SingleFile:
    listable = False
    sequential = True

    def __init__(self, packed: PackedFile, chunks: Iterator[bytes], *, archive_name: str) -> None:
        self._packed = packed
        self._chunks = chunks
        self._name = _name_inside(archive_name)

    def entries(self, start: int) -> Iterator[Entry]:
        if start == 0:
            yield Entry(self._name, lambda: self._chunks, lambda: self._packed.consumed)


def _name_inside(archive_name: str) -> str:
    for ending in _ENDINGS:
        if archive_name.lower().endswith(ending) and len(archive_name) > len(ending):
            return archive_name[: -len(ending)]
    return archive_name or "content"
