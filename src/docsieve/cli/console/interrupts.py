"""Clean shutdown of long-running commands on SIGINT and SIGTERM."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

import typer

T = TypeVar("T")

_BY_SIGNAL = 128


def run_until_stopped(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` and return its result. SIGINT and SIGTERM cancel it, and the exit code then names the signal."""
    received: list[signal.Signals] = []

    async def watched() -> T:
        task = asyncio.ensure_future(work)

        def stop(number: signal.Signals) -> None:
            received.append(number)
            task.cancel()

        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop, number)
        return await task

    try:
        return asyncio.run(watched())
    except asyncio.CancelledError:
        if not received:
            raise
        print("stopped", file=sys.stderr)
        raise typer.Exit(_BY_SIGNAL + received[0]) from None
