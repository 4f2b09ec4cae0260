"""Starts and ends the servers under measurement."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

READY_SECONDS = 60.0
KEY = "ds_benchadmin_0123456789abcdef0123456789abcdef"


@dataclass(frozen=True)
class Code:
    """What runs a checkout: its own environment, if it has one, else this one with the checkout's package."""

    python: str
    environment: dict[str, str]

    @classmethod
    def of(cls, checkout: Path | None) -> "Code":
        if checkout is None:
            return cls(sys.executable, {})
        own = checkout.resolve() / ".venv/bin/python"
        return cls(str(own) if own.exists() else sys.executable, {"PYTHONPATH": str(checkout.resolve() / "src")})


@dataclass(frozen=True)
class Served:
    """A server that answers on its port."""

    name: str
    port: int
    path: str
    pid: int


@asynccontextmanager
async def docsieve_api(dsn: str, folder: Path, **changed: str) -> AsyncIterator[Served]:
    """`docsieve api` with one process and otherwise its default settings, its log in a file."""
    async with api_of(Code.of(None), dsn, folder, **changed) as served:
        yield served


@asynccontextmanager
async def api_of(code: Code, dsn: str, folder: Path, **changed: str) -> AsyncIterator[Served]:
    """The same with the code of a checkout."""
    port = free_port()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DOCSIEVE_")}
    settings = {
        "DOCSIEVE_DATABASE_URL": dsn,
        "DOCSIEVE_DATA_DIR": str(folder),
        "DOCSIEVE_PORT": str(port),
        "DOCSIEVE_API_KEY": KEY,
        "DOCSIEVE_API_PROCESSES": "1",
        **changed,
    }
    environment = {**inherited, **settings, **code.environment}
    async with _running(["-m", "docsieve", "api"], environment, folder, port, python=code.python) as pid:
        yield Served("docsieve", port, "/api/v1/documents", pid)


@asynccontextmanager
async def bare_server(dsn: str, folder: Path) -> AsyncIterator[Served]:
    port = free_port()
    command = ["-m", "benchmarks.uploads.bare", str(port), dsn, str(folder)]
    async with _running(command, dict(os.environ), folder, port) as pid:
        yield Served("bare handler", port, "/documents", pid)


@asynccontextmanager
async def bare_api(dsn: str, folder: Path) -> AsyncIterator[Served]:
    port = free_port()
    async with _running(["-m", "benchmarks.api_parts.bare", str(port), dsn], dict(os.environ), folder, port) as pid:
        yield Served("bare handler", port, "", pid)


@asynccontextmanager
async def _running(
    command: list[str], environment: dict[str, str], folder: Path, port: int, *, python: str = sys.executable
) -> AsyncIterator[int]:
    log = folder / "server.log"
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(python, *command, env=environment, stdout=output, stderr=output)
    try:
        async with asyncio.timeout(READY_SECONDS):
            while not await _answers(port):
                if process.returncode is not None:
                    raise RuntimeError(f"a server ended with {process.returncode}:\n{log.read_text()[-2000:]}")
                await asyncio.sleep(0.05)
        yield process.pid
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _answers(port: int) -> bool:
    async with httpx.AsyncClient() as client:
        try:
            return (await client.get(f"http://127.0.0.1:{port}/readyz")).status_code == 200
        except httpx.TransportError:
            return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
