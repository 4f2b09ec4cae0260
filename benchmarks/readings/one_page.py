"""What a document of one page costs the whole service, and another checkout of it."""

import statistics
import tempfile
from collections import defaultdict
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.extractions.documents import write_invoice
from benchmarks.readings.documents import write_pdf
from benchmarks.readings.service import PROCESSES, Service, service
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer

DOCUMENTS, ROUNDS, WARM_DOCUMENTS = 150, 3, 60
RATE, RATIO, SUM = "documents/s", "× the other", "CPU ms"
CPU = {process: f"{process}, CPU ms" for process in PROCESSES}
COLUMNS = (RATE, RATIO, SUM, *CPU.values())
HERE, THERE = "this checkout", "the other checkout"
METHOD = f"""`docsieve api` and one `docsieve worker` with default settings, which have read {WARM_DOCUMENTS} such
documents before. {DOCUMENTS} PDFs of one page are uploaded over HTTP, the time ends when the last one's job has
ended in the database; CPU is that of each process per document, as the kernel counts it, and the sandbox is all that
the worker starts. Medians of {ROUNDS} rounds. With `--against PATH`, another checkout is measured in turns."""


@dataclass(frozen=True)
class Kind:
    """One kind of small documents, and the schema that is asked for; `wanted` is how many per second two cores do."""

    name: str
    schema: str
    write: Callable[[Path, int], Path]
    wanted: float


KINDS = (
    Kind("only read", "none", lambda path, seed: write_pdf(path, 1, seed), 100.0),
    Kind("schema invoice", "invoice", write_invoice, 35.0),
)


async def measure(server: BenchServer, against: Path | None) -> Section:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-small-")))
        folder.chmod(0o755)
        running: dict[str, Service] = {}
        for name, checkout in {HERE: None, **({THERE: against} if against is not None else {})}.items():
            dsn = await stack.enter_async_context(server.fresh_database("small"))
            data = folder / f"data-{len(running)}"
            data.mkdir()
            running[name] = await stack.enter_async_context(service(dsn, data, checkout))
        measured = {kind: await _rounds(running, kind, folder) for kind in KINDS}
    return _section(measured)


async def _rounds(running: dict[str, Service], kind: Kind, folder: Path) -> dict[str, dict[str, float]]:
    """The medians of each checkout."""
    figures: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in running}
    for turn in range(-1, ROUNDS):
        # other bytes each time, because pages that were read before are not read again
        count = WARM_DOCUMENTS if turn < 0 else DOCUMENTS
        seeds = range((turn + 2) * 1000, (turn + 2) * 1000 + count)
        paths = [kind.write(folder / f"{kind.schema}-{seed}.pdf", seed) for seed in seeds]
        for name in running if turn % 2 == 0 else reversed(running):
            for measure, figure in (await _read(running[name], kind, paths)).items():
                if turn >= 0:
                    figures[name][measure].append(figure)
    return {name: {each: statistics.median(found) for each, found in of.items()} for name, of in figures.items()}


async def _read(running: Service, kind: Kind, paths: list[Path]) -> dict[str, float]:
    before = running.cpu_seconds()
    rate = len(paths) / await running.read(paths, schema=kind.schema)
    after = running.cpu_seconds()
    cpu = {CPU[process]: (after[process] - before[process]) * 1000 / len(paths) for process in CPU}
    return {RATE: rate, SUM: sum(cpu.values()), **cpu}


def _section(measured: dict[Kind, dict[str, dict[str, float]]]) -> Section:
    rows, targets = [], []
    for kind, checkouts in measured.items():
        here = checkouts[HERE]
        targets.append(Target(f"PDFs of one page per second, {kind.name}", kind.wanted, here[RATE]))
        if (there := checkouts.get(THERE)) is not None:
            here[RATIO] = here[RATE] / there[RATE]
        rows += [Row(f"{kind.name}, {name}", figures) for name, figures in checkouts.items()]
    return Section("PDFs of one page", METHOD, COLUMNS, rows, targets)
