"""Measures what all processes of a child use together: memory and disk space.

The kernel's limits apply to one process and one file each. This counts all descendants of the launcher, including those
that left the child's group, and all files that they created, including deleted ones that are still open.
"""

import os
import resource
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from docsieve.sandbox.limits import Limits

_PAGE_BYTES = resource.getpagesize()
_AT_ONCE_BYTES = 64 * 1024


def descendants(root: int) -> list[int]:
    found = [root]
    for pid in found:
        # A process may end at any moment.
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                found += map(int, _content(f"/proc/{pid}/task/{thread}/children").split())
    return found[1:]


def memory_bytes(processes: list[int], *, enough: int) -> int:
    """Their resident memory; above `enough`, shared memory is counted once."""
    resident = sum(_resident(pid) for pid in processes)
    if resident <= enough or len(processes) == 1:
        return resident
    return sum(_proportional(pid) for pid in processes)


def _resident(pid: int) -> int:
    with suppress(OSError):
        return int(_content(f"/proc/{pid}/statm").split()[1]) * _PAGE_BYTES
    return 0


def _content(path: str) -> bytes:
    """The content of a small kernel file; without Python's buffers and decoding, because it is read all the time."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        found = part = os.read(descriptor, _AT_ONCE_BYTES)
        while part:  # the kernel returns at most one page of memory at a time
            part = os.read(descriptor, _AT_ONCE_BYTES)
            found += part
        return found
    finally:
        os.close(descriptor)


def _proportional(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except OSError:
        return _resident(pid)


def disk_bytes(folders: list[str], processes: list[int], *, limits: Limits) -> int | None:
    """The disk space of everything in the folders and of deleted files that are still open.

    None if there are more files or deeper folders than allowed: deep ones would hide files behind paths that are too
    long, and take long to remove.
    """
    taken = 0
    for files, (depth, found) in enumerate(chain(_files_below(folders), _deleted_files(processes)), start=1):
        if files > limits.files or depth > limits.depth:
            return None
        taken += found.st_blocks * 512
    return taken


def _files_below(folders: list[str]) -> Iterator[tuple[int, os.stat_result]]:
    """Each with its depth."""
    waiting = [(1, folder) for folder in folders]
    while waiting:
        depth, folder = waiting.pop()
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    yield depth, entry.stat(follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((depth + 1, entry.path))


def _deleted_files(processes: list[int]) -> Iterator[tuple[int, os.stat_result]]:
    for pid in processes:
        with suppress(OSError), os.scandir(f"/proc/{pid}/fd") as entries:
            for entry in entries:
                with suppress(OSError):
                    found = os.stat(entry.path)
                    if stat.S_ISREG(found.st_mode) and found.st_nlink == 0:
                        yield 1, found
