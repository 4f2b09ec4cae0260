"""What processes use, as the kernel counts it."""

import os
import re
from collections.abc import Collection
from pathlib import Path


def family(roots: Collection[int]) -> set[int]:
    """These processes and all below them."""
    parents = {pid: parent(pid) for pid in map(int, filter(str.isdigit, os.listdir("/proc")))}
    found = set(roots)
    while grown := {pid for pid, above in parents.items() if above in found} - found:
        found |= grown
    return found


def cpu_seconds(roots: Collection[int]) -> float:
    """Of these and all below them, with those that have ended and were waited for."""
    return sum(sum(_times(pid)) for pid in family(roots))


def own_cpu_seconds(pid: int) -> float:
    return sum(_times(pid)[:2])


def largest_child_mb(root: int, name: str) -> float:
    """Of all processes below `root`, the largest value of a line in their status."""
    return max((status_mb(pid, name) for pid in family([root]) - {root}), default=0.0)


def status_mb(pid: int, name: str) -> float:
    try:
        found = re.search(rf"^{name}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def parent(pid: int) -> int | None:
    fields = _stat(pid)
    return int(fields[1]) if fields else None


def _times(pid: int) -> list[float]:
    """Seconds in programs and in the kernel, of the process and of its children that were waited for."""
    return [int(ticks) / os.sysconf("SC_CLK_TCK") for ticks in _stat(pid)[11:15]]


def _stat(pid: int) -> list[str]:
    """The fields after the name; none if the process is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
