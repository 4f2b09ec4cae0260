"""What unpacking costs: entries and bytes a second from upload to stored documents, next to `bsdtar`."""

import statistics
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from benchmarks.archive_parts import bsdtar
from benchmarks.archive_parts.samples import LARGE_BYTES, SMALL_FILES, write_large, write_small
from benchmarks.archive_parts.service import Unpacker, unpacker
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer

ROUNDS = 3
ENTRY_RATE, ENTRY_SHARE, BYTE_RATE, BYTE_SHARE = "entries/s", "× bsdtar entries", "MB/s", "× bsdtar MB"
SMALL_MEMORY, LARGE_MEMORY, WORKER_MEMORY = "child, 5,000 files, MB", "child, 2 GB, MB", "worker, MB"
COLUMNS = (ENTRY_RATE, ENTRY_SHARE, BYTE_RATE, BYTE_SHARE, SMALL_MEMORY, LARGE_MEMORY, WORKER_MEMORY)
METHOD = f"""A ZIP of {SMALL_FILES:,} text files of 0.5 to 8 kB and one with a single member of 2 GB, both deflated,
uploaded to `docsieve api` and unpacked by `docsieve worker --queue archive=1`. The time is that of the job: fetching
the archive and checking its hash, unpacking in the sandbox, hashing and storing each file durably, and adding
documents, jobs and verdicts to the database. `bsdtar` unpacks the same archive into a folder of the same disk,
followed by `sync -f`. Medians of {ROUNDS} rounds in turns; ratios are taken within a round. Memory: the highest
resident size of the sandboxed process and of the worker."""


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    program = bsdtar.install()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-archives-")))
        folder.chmod(0o755)
        dsn = await stack.enter_async_context(server.fresh_database("archives"))
        running = await stack.enter_async_context(unpacker(dsn, folder))
        small, large = write_small(folder / "small.zip"), write_large(folder / "large.zip")
        await running.unpack(small)  # the sandbox starts
        ours, reference = Row("docsieve", {}), Row("bsdtar", {})
        await _measure(running, program, small, SMALL_FILES, (ENTRY_RATE, ENTRY_SHARE, SMALL_MEMORY), ours, reference)
        await _measure(
            running, program, large, LARGE_BYTES / 1e6, (BYTE_RATE, BYTE_SHARE, LARGE_MEMORY), ours, reference
        )
    targets = [
        Target("entries/s of unpack-and-store next to bsdtar", 0.5, ours.figures[ENTRY_SHARE]),
        Target("MB/s of unpack-and-store next to bsdtar", 0.5, ours.figures[BYTE_SHARE]),
        Target("MB of the sandboxed process with a member of 2 GB", 200, ours.figures[LARGE_MEMORY], at_most=True),
    ]
    return Section("Archives", METHOD, COLUMNS, [ours, reference], targets)


async def _measure(
    running: Unpacker,
    program: str,
    archive: Path,
    amount: float,
    columns: tuple[str, str, str],
    ours: Row,
    reference: Row,
) -> None:
    rate, share, memory = columns
    rates: list[float] = []
    reference_rates: list[float] = []
    for _ in range(ROUNDS):
        found = await running.unpack(archive)
        rates.append(amount / found.seconds)
        reference_rates.append(amount / bsdtar.unpack_seconds(program, archive, below=archive.parent))
        ours.figures[memory] = max(ours.figures.get(memory, 0.0), found.child_mb)
        ours.figures[WORKER_MEMORY] = max(ours.figures.get(WORKER_MEMORY, 0.0), found.worker_mb)
    ours.figures[rate] = statistics.median(rates)
    reference.figures[rate] = statistics.median(reference_rates)
    ours.figures[share] = statistics.median(a / b for a, b in zip(rates, reference_rates, strict=True))
