"""Moves a task's files into a child's folder and its outputs out, so that the child needs access to nothing else.

    in/      what the child may read: links to, or copies of, the task's inputs; owned by us, so it cannot change them
    out/     what the child may create, and files that it shares with us
    work/    its working directory

All three are created for one task and removed after it, when none of its processes is left.
"""

import errno
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docsieve import folders
from docsieve.errors import OutputTooLarge, ParserCrashed
from docsieve.sandbox.messages import MAX_INLINE_BYTES, MAX_RESULT_BYTES, RESULT_FILE, TASK_FILE, encode_task
from docsieve.sandbox.paths import Conversion, with_paths
from docsieve.sandbox.task import Task

_CANNOT_LINK = frozenset({errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP, errno.EACCES})


class Handover:
    """`uid` is the child's user if it is not ours; that user can read only files that are readable by everyone."""

    def __init__(self, folder: Path, *, uid: int | None) -> None:
        self._in, self._out, self._work = folder / "in", folder / "out", folder / "work"
        self._uid = uid
        self._files = 0
        self._wanted: list[tuple[Path, Path]] = []
        self._shared: list[tuple[Path, Path]] = []

    def give(self, task: Task[Any]) -> str | None:
        """Lend the task's inputs. Returns the task as the child sees it, as JSON, or None if it is in a file."""
        self._make_folders()
        self._files, self._wanted, self._shared = 0, [], []
        payload = encode_task(with_paths(task, Conversion(self._lend, self._reserve, self._share)))
        if len(payload) <= MAX_INLINE_BYTES:
            return payload.decode()
        file = self._in / TASK_FILE
        file.write_bytes(payload)
        file.chmod(0o644)
        return None

    def _make_folders(self) -> None:
        for folder in (self._in, self._out, self._work):
            folder.mkdir(0o700)
        if self._uid is not None:
            os.chown(self._in, -1, self._uid)
            self._in.chmod(0o750)  # the group is the child's own
            for folder in (self._out, self._work):
                os.chown(folder, self._uid, self._uid)

    def _lend(self, name: str, original: Path) -> Path:
        lent = self._in / self._unique(name)
        if self._uid is None or os.stat(original).st_mode & 0o004:
            try:
                os.link(original, lent)
                return lent
            except OSError as error:
                if error.errno not in _CANNOT_LINK:
                    raise
        shutil.copyfile(original, lent)
        lent.chmod(0o644)
        return lent

    def _reserve(self, name: str, wanted: Path) -> Path:
        created = self._out / self._unique(name)
        self._wanted.append((created, wanted))
        return created

    def _share(self, name: str, wanted: Path) -> Path:
        """One file with a name on each side. Where that is impossible, it is only seen at the end, like an output."""
        shared = self._out / self._unique(name)
        wanted.unlink(missing_ok=True)
        wanted.touch(mode=0o600)
        try:
            os.link(wanted, shared)
        except OSError as error:
            if error.errno not in _CANNOT_LINK:
                raise
            wanted.unlink()
            self._wanted.append((shared, wanted))
            return shared
        if self._uid is not None:
            os.chown(shared, self._uid, self._uid)
        self._shared.append((shared, wanted))
        return shared

    def _unique(self, name: str) -> str:
        self._files += 1
        return f"{name}-{self._files}"

    def result(self) -> bytes:
        """The result that the child wrote to a file. Raises ParserCrashed or OutputTooLarge."""
        file = self._out / RESULT_FILE
        if not os.path.lexists(file) or not _is_plain_file(os.lstat(file)):
            raise ParserCrashed("The sandboxed process returned no result.")
        with file.open("rb") as opened:
            payload = opened.read(MAX_RESULT_BYTES + 1)
        if len(payload) > MAX_RESULT_BYTES:
            raise OutputTooLarge(f"The result is larger than {MAX_RESULT_BYTES} bytes.")
        return payload

    def take(self) -> None:
        """Move what the child created to the task's output paths.

        Raises ParserCrashed for anything that is not a plain file or a folder of them: a link could point to a file
        that the child itself cannot read. Nor may it have put anything in the place of a shared file.
        """
        for shared, wanted in self._shared:
            if not os.path.lexists(shared) or not os.path.samestat(os.lstat(shared), os.lstat(wanted)):
                raise ParserCrashed("The sandboxed process replaced a shared file.")
        for created, wanted in self._wanted:
            if os.path.lexists(created):
                if not _is_plain(created):
                    raise ParserCrashed("The sandboxed process left something other than files.")
                _move(created, wanted)

    def clear(self) -> bool:
        """Remove everything that is left; false if something could not be removed."""
        removed = [folders.remove(folder) for folder in (self._in, self._out, self._work)]
        return all(removed)


def _move(created: Path, wanted: Path) -> None:
    try:
        os.rename(created, wanted)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        copy: Callable[..., Any] = shutil.copytree if created.is_dir() else shutil.copyfile
        copy(created, wanted)


def _is_plain(path: Path) -> bool:
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode):
        return _is_plain_file(found)
    with os.scandir(path) as entries:
        return all(_is_plain_file(os.lstat(entry.path)) for entry in entries)


def _is_plain_file(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1
