"""Removes folders with untrusted contents, however deep they are and whatever their permissions."""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove(path: str | Path) -> bool:
    """Remove a file, a link or a folder with its contents. Returns whether everything was removed."""
    with suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            empty(path)
            os.rmdir(path)
        else:
            os.unlink(path)
    return not os.path.lexists(path)


def empty(path: str | Path) -> bool:
    """Remove the contents of a folder, and return whether it is empty.

    A folder in a folder is moved up before it is opened, so that no path and no recursion gets as deep as the tree.
    """
    try:
        root = os.open(path, _FOLDER)
    except OSError:
        return False
    try:
        names = map(str, count())
        while _flatten(root, names):
            pass
        return not os.listdir(root)
    except OSError:
        return False
    finally:
        os.close(root)


def _flatten(root: int, names: "map[str]") -> bool:
    """Remove the files of a folder and of the folders in it, whose own folders move up; false once this moves none."""
    moved = False
    for entry in _entries(root):
        if not entry.is_dir(follow_symlinks=False):
            _unlink(entry.name, root)
            continue
        moved = _raise_folders(entry.name, root, names) or moved
        with suppress(OSError):
            os.rmdir(entry.name, dir_fd=root)
    return moved


def _raise_folders(name: str, root: int, names: "map[str]") -> bool:
    try:
        # Its owner may have closed it to itself.
        os.chmod(name, 0o700, dir_fd=root)
        folder = os.open(name, _FOLDER, dir_fd=root)
    except OSError:
        return False
    try:
        raised = [_raise(entry, folder, root, names) for entry in _entries(folder)]
        return any(raised)
    finally:
        os.close(folder)


def _raise(entry: "os.DirEntry[str]", folder: int, root: int, names: "map[str]") -> bool:
    if not entry.is_dir(follow_symlinks=False):
        _unlink(entry.name, folder)
        return False
    with suppress(OSError):
        os.chmod(entry.name, 0o700, dir_fd=folder)
        os.rename(entry.name, _free_name(root, names), src_dir_fd=folder, dst_dir_fd=root)
        return True
    return False


def _free_name(root: int, names: "map[str]") -> str:
    return next(name for name in names if not _exists(name, root))


def _exists(name: str, root: int) -> bool:
    try:
        os.lstat(name, dir_fd=root)
    except FileNotFoundError:
        return False
    return True


def _entries(folder: int) -> "list[os.DirEntry[str]]":
    with os.scandir(folder) as entries:
        return list(entries)


def _unlink(name: str, folder: int) -> None:
    with suppress(OSError):
        os.unlink(name, dir_fd=folder)
