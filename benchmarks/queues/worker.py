"""One worker process of one contender: `python -m benchmarks.queues.worker NAME DSN BOARD SLOT`.

It says `ready` once it is connected and warm, and starts to claim when a line arrives on its standard input.
"""

import asyncio
import sys
from functools import partial
from pathlib import Path

import uvloop

from benchmarks.queues import load
from benchmarks.queues.board import Board


async def _gate() -> None:
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)


def main() -> None:
    name, dsn, board, slot = sys.argv[1:]
    job = partial(Board(Path(board)).note_start, int(slot))
    uvloop.run(load(name).work(dsn, _gate, job))


if __name__ == "__main__":
    main()
