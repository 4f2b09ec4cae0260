"""A sandbox with tight limits, poison documents to feed it, and a view of the real processes."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from docsieve_poison import MEDIA_TYPE

from docsieve.domain.pages.pagefile import page_json_in, page_text
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.paths import InputPath, SharedPath
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks import registry
from docsieve.tasks.read import ReadDocument
from tests.service import poll_until

# The wall clock is generous where it is not the point: the machine may be busy.
LIMITS = Limits(memory_mb=512, wall_seconds=60, cpu_seconds=30, output_bytes=16 * 1024**2, files=1000)
# Launcher and zygote, and for each document keeper and runner; one of kind `fork` adds two.
PROCESSES_OF_AN_IDLE_CHILD = 2
PROCESSES_OF_A_CHILD = PROCESSES_OF_AN_IDLE_CHILD + 2

Poison = Callable[[str], ReadDocument]


@pytest.fixture
def open_place(open_folder: Path) -> Path:
    """A folder that every user may enter: what is hidden in it is not hidden by its permissions."""
    place = Path(tempfile.mkdtemp(dir=open_folder))
    place.chmod(0o755)
    return place


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with open_sandbox(children=2) as sandbox:
        yield sandbox


@pytest.fixture
def poison(tmp_path: Path) -> Poison:
    """The task that reads a poison document of the given kind."""
    made = iter(range(1000))

    def task(what: str) -> ReadDocument:
        source = tmp_path / f"poison-{next(made)}"
        source.write_text(f"%POISON {what}\n")
        return ReadDocument(InputPath(source), SharedPath(source.with_suffix(".pages")), MEDIA_TYPE)

    return task


def open_sandbox(limits: Limits = LIMITS, *, children: int = 1, folder: Path | None = None) -> Sandbox:
    return Sandbox(limits, tasks=registry, children=children, folder=folder)


def first_page_text(task: ReadDocument) -> str:
    return page_text(page_json_in(task.pages, 1))


def descendants(root: int) -> dict[int, str]:
    """Every living process below `root` → its start time, which distinguishes it from a later one with the same number.

    Not the database of the run and what it starts: its workers come and go as they like.
    """
    parents: dict[int, tuple[int, str]] = {}
    for entry in os.listdir("/proc"):
        state = _state(int(entry)) if entry.isdigit() else None
        if state is not None:
            parents[int(entry)] = state
    found: dict[int, str] = {}
    while below := {
        pid: born for pid, (parent, born) in parents.items() if pid not in found and (parent == root or parent in found)
    }:
        found |= below
    return found


def alive(processes: dict[int, str]) -> dict[int, str]:
    return {pid: born for pid, born in processes.items() if (state := _state(pid)) is not None and state[1] == born}


def _state(pid: int) -> tuple[int, str] | None:
    try:
        start, _, end = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = end.split()
    return None if fields[0] in "ZX" or start.endswith("(postgres") else (int(fields[1]), fields[19])


async def until_processes(condition: Callable[[], bool]) -> None:
    """The kernel reports the ends of processes (`wait_for_end`) but not that a stranger's process starts another."""
    await asyncio.to_thread(poll_until, condition, seconds=30)
