"""Temporary directories that do not outlive their process, not even one that was killed."""

import os
import shutil
import tempfile
from pathlib import Path


class Scratch:
    """A folder of this process under the data directory; folders of processes that are gone are removed on start."""

    def __init__(self, data_dir: Path) -> None:
        self._root = data_dir.absolute() / "tmp"
        self._own = self._root / f"worker-{os.getpid()}"
        self._root.mkdir(parents=True, exist_ok=True)
        self._remove_leftovers()
        self._own.mkdir(exist_ok=True)

    def directory(self) -> "tempfile.TemporaryDirectory[str]":
        return tempfile.TemporaryDirectory(dir=self._own, ignore_cleanup_errors=True)

    def close(self) -> None:
        shutil.rmtree(self._own, ignore_errors=True)

    def _remove_leftovers(self) -> None:
        for folder in self._root.glob("worker-*"):
            if not _alive(int(folder.name.partition("-")[2])) or folder == self._own:
                shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
