"""How documents get into a child's folder and what it made gets out, so that it needs to reach nothing else.

    in/      what it may read: links to, or copies of, what the task names; ours, so that it cannot change them
    out/     what it may make
    work/    its working directory

All three are made for one document and removed after it, when no process of it is left.

Arguments with the names below are paths, at any depth. The child gets them as paths in its own folder. Where a list
holds several of one name, as the documents of an extraction do, each gets the number of its place.
"""

import errno
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docsieve import folders
from docsieve.errors import ParserCrashed

READ = frozenset({"source", "page", "pages", "request"})
MADE = frozenset({"output", "attachments", "chunks"})

_CANNOT_LINK = frozenset({errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP, errno.EACCES})


class Handover:
    """`uid` is the child's user if it is another than we are, who sees only what everybody may read."""

    def __init__(self, folder: Path, *, uid: int | None) -> None:
        self._in, self._out, self._work = (str(folder / name) for name in ("in", "out", "work"))
        self._uid = uid
        self._wanted: dict[str, str] = {}

    def give(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Put what the task reads where the child finds it; returns the arguments as the child knows them."""
        self._make_folders()
        self._wanted = {}
        return {name: self._given(name, value) for name, value in arguments.items()}

    def _make_folders(self) -> None:
        for folder in (self._in, self._out, self._work):
            os.mkdir(folder, 0o700)
        if self._uid is not None:
            os.chown(self._in, -1, self._uid)
            os.chmod(self._in, 0o750)  # noqa: S103  the group is the child's own
            for folder in (self._out, self._work):
                os.chown(folder, self._uid, self._uid)

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
        if self._uid is None or os.stat(original).st_mode & 0o004:
            try:
                os.link(original, lent)
                return lent
            except OSError as error:
                if error.errno not in _CANNOT_LINK:
                    raise
        shutil.copyfile(original, lent)
        os.chmod(lent, 0o644)
        return lent

    def take(self) -> None:
        """Move what the child made to where the task's arguments say.

        Raises ParserCrashed for anything that is not a plain file or a folder of them: a link would lead to what the
        child itself cannot read.
        """
        for made, wanted in self._wanted.items():
            if os.path.lexists(made):
                if not _is_plain(made):
                    raise ParserCrashed("The parser left something else than files.")
                _move(made, wanted)

    def clear(self) -> bool:
        """Remove all that is left; false where something refused to go."""
        removed = [folders.remove(folder) for folder in (self._in, self._out, self._work)]
        return all(removed)


def _move(made: str, wanted: str) -> None:
    try:
        os.rename(made, wanted)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        copy: Callable[..., Any] = shutil.copytree if os.path.isdir(made) else shutil.copyfile
        copy(made, wanted)


def _is_plain(path: str) -> bool:
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode):
        return _is_plain_file(found)
    with os.scandir(path) as entries:
        return all(_is_plain_file(os.lstat(entry.path)) for entry in entries)


def _is_plain_file(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1
