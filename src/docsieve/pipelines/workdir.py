"""Temporary directories: one per piece of work, none of which outlives its process, not even one that was killed."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from docsieve import folders
from docsieve.logs import get_logger

log = get_logger()


@dataclass(frozen=True, slots=True)
class WorkDir:
    """The directory of one piece of work, with a fixed name for each file in it."""

    path: Path

    @property
    def original(self) -> Path:
        """The document as it was uploaded."""
        return self.path / "original"

    @property
    def pages(self) -> Path:
        """Its page file."""
        return self.path / "pages"

    @property
    def chunks(self) -> Path:
        return self.path / "chunks"

    @property
    def attachments(self) -> Path:
        """A folder with a file per attachment."""
        return self.path / "attachments"

    def entries_from(self, number: int) -> Path:
        """A folder with the entries of an archive from a number on."""
        return self.path / f"entries-{number}"

    @property
    def parts(self) -> Path:
        """A folder with the files and pages of the parts of a packet."""
        return self.path / "parts"

    @property
    def page(self) -> Path:
        """The JSON of one page."""
        return self.path / "page.json"

    @property
    def copy(self) -> Path:
        """A copy of the document as a PDF."""
        return self.path / "copy.pdf"

    @property
    def image(self) -> Path:
        """The image of one page."""
        return self.path / "image.webp"


@contextmanager
def temporary_workdir(parent: Path) -> Iterator[WorkDir]:
    """A new directory in `parent`, removed at the end."""
    with tempfile.TemporaryDirectory(dir=parent, ignore_cleanup_errors=True) as path:
        yield WorkDir(Path(path))


class WorkDirs:
    """The work directories of this process, under the data directory; those of dead processes are removed on start.

    `sandbox` is for the folders of sandboxed children: on the same file system, so that a document can be linked into
    them, and apart from the work directories, so that no child can reach another's files.
    """

    def __init__(self, data_dir: Path) -> None:
        self._root = data_dir.absolute() / "tmp"
        self._own = self._root / f"worker-{os.getpid()}"
        self.sandbox = self._root / f"sandbox-{os.getpid()}"
        self._root.mkdir(parents=True, exist_ok=True)
        for folder in (self._own, self.sandbox):
            _remove(folder)  # of an earlier process with our number
        self.remove_leftovers()
        for folder in (self._own, self.sandbox):
            folder.mkdir(exist_ok=True)

    def new(self) -> AbstractContextManager[WorkDir]:
        return temporary_workdir(self._own)

    def close(self) -> None:
        for folder in (self._own, self.sandbox):
            _remove(folder)

    def remove_leftovers(self, *, limit: int | None = None, dry_run: bool = False) -> int:
        """Remove the folders of processes that are gone, or only count them. Returns how many. Blocks."""
        left = [
            folder
            for pattern in ("worker-*", "sandbox-*")
            for folder in self._root.glob(pattern)
            if not ((pid := folder.name.partition("-")[2]).isdecimal() and _alive(int(pid)))
        ][:limit]
        if not dry_run:
            for folder in left:
                _remove(folder)
        return len(left)


def _remove(folder: Path) -> None:
    """A folder that cannot be removed takes disk space, but must not keep a process from starting."""
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
