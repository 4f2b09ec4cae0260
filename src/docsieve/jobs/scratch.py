"""Temporary directories that do not outlive their process, not even one that was killed."""

import os
import tempfile
from pathlib import Path

from docsieve import folders
from docsieve.logs import get_logger

log = get_logger()


class Scratch:
    """Folders of this process under the data directory; those of processes that are gone are removed on start.

    `children` is for the sandbox: on the same file system, so that a document becomes a child's by a link, and apart
    from the documents, so that no child can reach another's.
    """

    def __init__(self, data_dir: Path) -> None:
        self._root = data_dir.absolute() / "tmp"
        self._own = self._root / f"worker-{os.getpid()}"
        self.children = self._root / f"sandbox-{os.getpid()}"
        self._root.mkdir(parents=True, exist_ok=True)
        self._remove_leftovers()
        for folder in (self._own, self.children):
            folder.mkdir(exist_ok=True)

    def directory(self) -> "tempfile.TemporaryDirectory[str]":
        return tempfile.TemporaryDirectory(dir=self._own, ignore_cleanup_errors=True)

    def close(self) -> None:
        for folder in (self._own, self.children):
            _remove(folder)

    def _remove_leftovers(self) -> None:
        for pattern in ("worker-*", "sandbox-*"):
            for folder in self._root.glob(pattern):
                pid = folder.name.partition("-")[2]
                if folder in (self._own, self.children) or not (pid.isdecimal() and _alive(int(pid))):
                    _remove(folder)


def _remove(folder: Path) -> None:
    """What refuses to go takes room on the disk, and must not keep a process from starting."""
    if not folders.remove(folder):
        log.warning("folder_not_removed", folder=str(folder))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    except OverflowError:
        return False
    return True
