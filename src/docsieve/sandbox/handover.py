"""How documents get into a child's folder and what it made gets out, so that it needs to reach nothing else.

    in/      what it may read: links to, or copies of, what the task names; ours, so that it cannot change them
    out/     what it may make
    work/    its working directory

Arguments with the names below are paths, at any depth. The child gets them as paths in its own folder. Where a list
holds several of one name, as the documents of an extraction do, each gets the number of its place.
"""

import errno
import os
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from docsieve.errors import ParserCrashed

READ = frozenset({"source", "page", "pages", "request"})
MADE = frozenset({"output", "attachments", "chunks"})

_CANNOT_LINK = frozenset({errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP, errno.EACCES})


class Handover:
    """`strange` says that the child is another user than we are, who sees only what everybody may read."""

    def __init__(self, folder: Path, *, strange: bool) -> None:
        self._in, self._out = str(folder / "in"), str(folder / "out")
        self._strange = strange
        self._wanted: dict[str, str] = {}

    def give(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Put what the task reads where the child finds it; returns the arguments as the child knows them."""
        self._wanted = {}
        return {name: self._given(name, value) for name, value in arguments.items()}

    def _given(self, name: str, value: Any, place: str = "") -> Any:
        if isinstance(value, dict):
            return {inner: self._given(inner, each, place) for inner, each in value.items()}
        if isinstance(value, list):
            return [self._given("", each, f"{place}-{number}") for number, each in enumerate(value)]
        if isinstance(value, str) and name in READ:
            return self._lend(value, f"{self._in}/{name}{place}")
        if isinstance(value, str) and name in MADE:
            made = f"{self._out}/{name}{place}"
            self._wanted[made] = value
            return made
        return value

    def _lend(self, original: str, lent: str) -> str:
        if not self._strange or os.stat(original).st_mode & 0o004:
            try:
                os.link(original, lent)
                return lent
            except OSError as error:
                if error.errno not in _CANNOT_LINK:
                    raise
        shutil.copyfile(original, lent)
        os.chmod(lent, 0o644)
        return lent

    def finish(self, *, succeeded: bool) -> None:
        """Move what the child made to where the task's arguments say, and remove the rest.

        Raises ParserCrashed for anything that is not a plain file or a folder of them: a link would lead to what the
        child itself cannot read. Looked at where the child cannot reach it any more.
        """
        try:
            if succeeded:
                self._take()
        finally:
            empty_folder(self._in)
            empty_folder(self._out)

    def _take(self) -> None:
        for made, wanted in self._wanted.items():
            if os.path.lexists(made):
                _move(made, wanted)
                if not _is_plain(wanted):
                    _remove(wanted, is_folder=os.path.isdir(wanted) and not os.path.islink(wanted))
                    raise ParserCrashed("The parser left something else than files.")


def empty_folder(folder: str) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            _remove(entry.path, is_folder=entry.is_dir(follow_symlinks=False))


def _move(made: str, wanted: str) -> None:
    try:
        os.rename(made, wanted)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        copy: Callable[..., Any] = shutil.copytree if stat.S_ISDIR(os.lstat(made).st_mode) else shutil.copyfile
        copy(made, wanted, **({"symlinks": True} if copy is shutil.copytree else {"follow_symlinks": False}))


def _is_plain(path: str) -> bool:
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode):
        return _is_plain_file(found)
    with os.scandir(path) as entries:
        return all(_is_plain_file(os.lstat(entry.path)) for entry in entries)


def _is_plain_file(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1


def _remove(path: str, *, is_folder: bool) -> None:
    if is_folder:
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(FileNotFoundError):
            os.unlink(path)
