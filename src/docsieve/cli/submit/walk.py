"""Finds the files that a command works on."""

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from docsieve.errors import Invalid


def files_named(given: Sequence[str]) -> list[Path]:
    """Like `files_below`; expands patterns that the shell did not expand, for example because they are quoted."""
    paths: list[Path] = []
    for name in given:
        if Path(name).exists() or not glob.has_magic(name):
            paths.append(Path(name))
        else:
            paths += map(Path, sorted(glob.glob(name, recursive=True)))
    return list(files_below(paths))


def files_below(given: Sequence[Path]) -> Iterator[Path]:
    """Each file once, in the order given. Directories are searched recursively by name, without hidden files.

    Links to directories inside a directory are not followed, because they could form a loop.
    """
    seen: set[Path] = set()
    for path in given:
        if path.is_dir():
            found: Iterator[Path] = _walk(path)
        elif path.is_file():
            found = iter([path])
        else:
            raise Invalid(f"{path} is neither a file nor a directory.")
        for each in found:
            place = each.resolve()
            if place not in seen:
                seen.add(place)
                yield each


def _walk(folder: Path) -> Iterator[Path]:
    def stop(error: OSError) -> None:
        raise Invalid(f"{error.filename} cannot be read: {error.strerror}.") from error

    for place, folders, names in os.walk(folder, onerror=stop):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            if not name.startswith(".") and path.is_file():
                yield path
