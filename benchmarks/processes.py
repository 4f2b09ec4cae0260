"""What processes use, as the kernel counts it."""

import os
import re
from collections.abc import Collection
from pathlib import Path


def family(roots: Collection[int]) -> set[int]:
    """These processes and all below them."""
    parents = {pid: _parent(pid) for pid in map(int, filter(str.isdigit, os.listdir("/proc")))}
    found = set(roots)
    while grown := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= grown
    return found


def cpu_seconds(roots: Collection[int]) -> float:
    """Of these and all below them, with those that have ended and were waited for."""
    ticks = 0
    for pid in family(roots):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def largest_child_mb(root: int, name: str) -> float:
    """Of all processes below `root`, the largest value of a line in their status."""
    return max((status_mb(pid, name) for pid in family([root]) - {root}), default=0.0)


def status_mb(pid: int, name: str) -> float:
    try:
        found = re.search(rf"^{name}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def _parent(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None
