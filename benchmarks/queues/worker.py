"""One worker process of one contender: `python -m benchmarks.queues.worker NAME DSN BOARD SLOT`.

It says `ready` once it is connected and warm, and starts to claim when a line arrives on its standard input.
"""

import asyncio
import os
import sys
from functools import partial
from pathlib import Path
from threading import Thread

import uvloop

from benchmarks.queues import load
from benchmarks.queues.board import Board


async def _gate() -> None:
    print("ready", flush=True)
    # Nobody reads the pipe from here on, and a contender that writes to a full one would stand still.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    await asyncio.to_thread(sys.stdin.readline)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    name, dsn, board, slot = sys.argv[1:]
    job = partial(Board(Path(board)).note_start, int(slot))
    uvloop.run(load(name).work(dsn, _gate, job))


if __name__ == "__main__":
    main()
