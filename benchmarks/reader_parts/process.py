"""A reader's process: it is started again after a document that ended it or took too long."""

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Self

_TIMEOUT_SECONDS = 60
_MAX_ANSWER_BYTES = 256 * 1024**2


@dataclass(frozen=True, slots=True)
class Answer:
    """`words` is None where reading failed."""

    words: frozenset[str] | None
    seconds: float = 0.0


class ReaderProcess:
    def __init__(self, name: str) -> None:
        self._name = name
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()

    async def read(self, path: Path) -> Answer:
        process = self._process = self._process or await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{path}\n".encode())
        try:
            line = await asyncio.wait_for(process.stdout.readline(), _TIMEOUT_SECONDS)
        except TimeoutError:
            line = b""
        if not line:
            await self._end()
            return Answer(None)
        answer = json.loads(line)
        return Answer(None) if "error" in answer else Answer(frozenset(answer["words"]), answer["seconds"])

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "benchmarks.reader_parts.libraries", self._name,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            limit=_MAX_ANSWER_BYTES,
        )  # fmt: skip

    async def _end(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        self._process = None
