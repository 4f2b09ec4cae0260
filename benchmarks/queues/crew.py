"""Starts, releases and ends the worker processes of one run."""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from benchmarks.queues.board import Board

READY_SECONDS = 30.0


class Crew:
    """Real worker processes, warm and waiting at a gate."""

    def __init__(self, board: Board, processes: list[asyncio.subprocess.Process]) -> None:
        self.board = board
        self._processes = processes

    @classmethod
    @asynccontextmanager
    async def waiting_at_gate(cls, name: str, dsn: str, workers: int) -> AsyncIterator[Self]:
        with tempfile.TemporaryDirectory(prefix="bench-board-") as folder:
            path = Path(folder) / "board"
            board = Board(path)
            board.clear()
            processes = [await _start(name, dsn, path, slot) for slot in range(workers)]
            try:
                for process in processes:
                    await asyncio.wait_for(_ready(process), READY_SECONDS)
                yield cls(board, processes)
            finally:
                for process in processes:
                    if process.returncode is None:
                        process.kill()
                    await process.wait()

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self._processes]

    def open_gate(self) -> None:
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(b"\n")

    def check_alive(self) -> None:
        for process in self._processes:
            if process.returncode is not None:
                raise RuntimeError(f"a worker ended with code {process.returncode} before its jobs were done")


async def _start(name: str, dsn: str, board: Path, slot: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "benchmarks.queues.worker",
        name,
        dsn,
        str(board),
        str(slot),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )


async def _ready(process: asyncio.subprocess.Process) -> None:
    assert process.stdout is not None
    if await process.stdout.readline() != b"ready\n":
        raise RuntimeError("a worker ended before it was ready")
