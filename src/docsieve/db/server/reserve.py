"""Disk space kept for the embedded database, given back to it when its disk is full.

Without room for its log PostgreSQL cannot even delete. The reserve is a file next to the cluster with real blocks;
removing it gives the server room enough to start and to delete documents, while uploads are still refused.
"""

import os
import time
from pathlib import Path

from docsieve import faults
from docsieve.db.server.account import locate_cluster
from docsieve.disk import free_bytes
from docsieve.logs import get_logger

log = get_logger()

_RETRY_SECONDS = 60.0


class Reserve:
    """Half of the space below which uploads are refused: released when an eighth is left, taken again with room to
    spare, so that taking it refuses no upload."""

    def __init__(self, data_dir: Path, min_free_bytes: int) -> None:
        cluster = locate_cluster(data_dir.resolve())
        self.file = cluster.with_name(f"{cluster.name}-reserve")
        self._bytes = min_free_bytes // 2
        self._release_below = min_free_bytes // 8
        self._take_from = min_free_bytes + self._bytes
        self._next_try = 0.0

    def tend(self) -> None:
        """Release or take the reserve, as the disk is now. Costs two system calls while there is nothing to do."""
        free = free_bytes(self.file.parent)
        if self.file.exists():
            if free < self._release_below:
                self.file.unlink()
                log.error("disk_reserve_released", free_bytes=free, released_bytes=self._bytes)
                faults.signal("reserve.released")
        elif self._should_take(free):
            self._take()

    def _should_take(self, free: int) -> bool:
        # The first start of the server creates the folder.
        is_possible = self._bytes > 0 and self.file.parent.is_dir()
        return is_possible and free >= self._take_from and time.monotonic() >= self._next_try

    def _take(self) -> None:
        aside = self.file.with_suffix(".new")
        try:
            with aside.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, self._bytes)
            aside.replace(self.file)
            faults.signal("reserve.taken")
        except OSError as error:
            self._next_try = time.monotonic() + _RETRY_SECONDS
            log.warning("disk_reserve_not_taken", error=error.strerror)
            aside.unlink(missing_ok=True)
