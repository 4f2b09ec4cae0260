"""What cannot be sent yet waits here: in memory at first, then in a file without a name."""

import tempfile
import zlib
from collections.abc import Iterator

_IN_MEMORY = 4 * 1024 * 1024
_PIECE = 64 * 1024


class Spool:
    """Compressed bytes. The file has no name, so that the system removes it even if the process is killed."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        self._compressor = zlib.compressobj(1)

    def write(self, data: bytes) -> None:
        self._file.write(self._compressor.compress(data))

    def close(self) -> None:
        """End the writing."""
        self._file.write(self._compressor.flush())

    def read(self) -> Iterator[bytes]:
        """All that was written, in pieces. May be called once, after `close`."""
        self._file.seek(0)
        inflater = zlib.decompressobj()
        while piece := self._file.read(_PIECE):
            yield inflater.decompress(piece)

    def discard(self) -> None:
        self._file.close()
