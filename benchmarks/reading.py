"""What reading costs: pages a second through the service beside the raw libraries, memory, and a child's start."""

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from operator import truediv
from pathlib import Path

from benchmarks.processes import largest_child_mb
from benchmarks.readings import one_page
from benchmarks.readings.documents import write_pdf, write_scan
from benchmarks.readings.service import PROCESSES, Service, service
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from docsieve.domain.pages.page import OnProgress
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.paths import InputPath, SharedPath
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks import registry
from docsieve.tasks.read import ReadDocument

ROUNDS = 3
PDF_ROUNDS = 5
PDFS, PAGES_A_PDF = 24, 25
ONE_PAGE_PDFS = 300
SCANS = 10
# the first of them are read while the zygote still loads
WARM_ROUNDS = 50
MIXED = 1000
CORES = 2
ALONE = {"words": "raw PDFium, words", "lines": "raw PDFium, lines", "parser": "docsieve's parser alone"}
PDF_RATE, WORDS_SHARE, LINES_SHARE = "PDF pages/s", "× raw words", "× raw lines"
OCR_RATE, OCR_SHARE = "OCR pages/s", "× raw engine"
START, WARM, LONG, WORKER, PARSER = (
    "child start ms", "warm document ms", "1,000 pages, MB", "worker after 1,000, MB", "zygote after 1,000, MB",
)  # fmt: skip
RATE = "documents/s"
CPU = {process: f"{process}, CPU ms" for process in PROCESSES}
COLUMNS = (
    PDF_RATE, WORDS_SHARE, LINES_SHARE, OCR_RATE, OCR_SHARE, START, WARM, LONG, WORKER, PARSER, RATE, *CPU.values(),
)  # fmt: skip
METHOD = f"""`docsieve api` and one `docsieve worker` with default settings; documents are uploaded over HTTP and the
time ends when the last one's job has ended in the database. PDFs: {PDFS} of {PAGES_A_PDF} pages, each with a table,
beside pypdfium2 in one process, which gives the text and box of each word, or of each line only, and stores nothing;
Docsieve gives words, lines, blocks and tables with boxes, classifies, chunks, embeds and indexes, on all cores. Its
parser alone, in one process and storing nothing either, shows what of this the reading is. Scans: {SCANS} A4 pages at
150 dpi, beside the same OCR engine in {CORES} processes. Medians of {PDF_ROUNDS} rounds of PDFs and {ROUNDS} of
scans, in turns; ratios are taken within a round. Memory: the peak of the process that reads 1,000 pages above that of
one that reads 100, and what worker and largest zygote, which documents are forked from, hold after {MIXED} mixed
documents above what they held after 200. Start: a fresh sandboxed child until its first small document is read, beside
a later one, forked from a zygote that has finished loading. CPU: of each process per
document, as the kernel counts it, for {ONE_PAGE_PDFS} PDFs of one page, {PDFS} of {PAGES_A_PDF} and {SCANS} scans, each
read once; the sandbox is all that the worker starts."""


async def run(server: BenchServer, _: Sequence[str], *, against: Path | None = None) -> list[Section]:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-read-")))
        folder.chmod(0o755)
        dsn = await stack.enter_async_context(server.fresh_database("reading"))
        running = await stack.enter_async_context(service(dsn, folder))
        await _warm_up(running, folder)
        ours, engine = Row("docsieve", {}), Row("raw OCR engine", {})
        alone = await _pdf(running, folder, ours)
        await _ocr(running, folder, ours, engine)
        shares = await _cpu(running, folder)
        await _mixed(running, folder, ours)
    # after the service has ended, whose processes would be measured too
    with tempfile.TemporaryDirectory(prefix="bench-read-") as small:
        await _children(Path(small), ours)
    section = Section("Reading", METHOD, COLUMNS, [ours, *alone, engine, *shares], _targets(ours))
    return [section, await one_page.measure(server, against)]


async def _warm_up(running: Service, folder: Path) -> None:
    """Every parser process has started and loaded its models, as the raw ones have."""
    await running.read([write_scan(folder / f"warm-{n}.png", 10_000 + n) for n in range(8)])


async def _pdf(running: Service, folder: Path, ours: Row) -> list[Row]:
    """Returns the rows of what else read them, each in one process."""
    rates: dict[str, list[float]] = {"ours": [], **{kind: [] for kind in ALONE}}
    for turn in range(PDF_ROUNDS):
        # other bytes each time: what was read once is not read again
        seeds = range(turn * 1000, turn * 1000 + PDFS)
        paths = [write_pdf(folder / f"{seed}.pdf", PAGES_A_PDF, seed) for seed in seeds]
        rates["ours"].append(PDFS * PAGES_A_PDF / await running.read(paths))
        for kind in ALONE:
            rates[kind].append(PDFS * PAGES_A_PDF / await _raw(kind, [paths]))
    typical = {who: statistics.median(found) for who, found in rates.items()}
    ours.figures[PDF_RATE] = typical["ours"]
    ours.figures[WORDS_SHARE], ours.figures[LINES_SHARE] = (
        statistics.median(map(truediv, rates["ours"], rates[kind])) for kind in ("words", "lines")
    )
    return [Row(name, {PDF_RATE: typical[kind]}) for kind, name in ALONE.items()]


async def _ocr(running: Service, folder: Path, ours: Row, raw: Row) -> None:
    rates: dict[str, list[float]] = {"ours": [], "raw": []}
    for turn in range(ROUNDS):
        paths = [write_scan(folder / f"scan-{turn}-{n}.png", turn * 1000 + n) for n in range(SCANS)]
        rates["ours"].append(SCANS / await running.read(paths))
        rates["raw"].append(SCANS / await _raw("ocr", [paths[core::CORES] for core in range(CORES)]))
    ours.figures[OCR_RATE], raw.figures[OCR_RATE] = (statistics.median(rates[who]) for who in ("ours", "raw"))
    ours.figures[OCR_SHARE] = statistics.median(map(truediv, rates["ours"], rates["raw"]))


async def _raw(kind: str, shares: list[list[Path]]) -> float:
    """Seconds until every process has read its share."""
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", "benchmarks.readings.raw", kind, *map(str, share),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )
        for share in shares
    ]  # fmt: skip
    for process in processes:
        assert process.stdout is not None
        await process.stdout.readline()
    answers = await asyncio.gather(*(process.communicate(b"\n") for process in processes))
    return max(float(json.loads(output)["seconds"]) for output, _ in answers)


async def _cpu(running: Service, folder: Path) -> list[Row]:
    """A row per kind of document: how many a second, and what one costs each process."""
    long_name = f"PDFs of {PAGES_A_PDF} pages"
    kinds = {
        "PDFs of one page": [write_pdf(folder / f"one-{n}.pdf", 1, 20_000 + n) for n in range(ONE_PAGE_PDFS)],
        long_name: [write_pdf(folder / f"long-{n}.pdf", PAGES_A_PDF, 30_000 + n) for n in range(PDFS)],
        "scans": [write_scan(folder / f"cpu-{n}.png", 40_000 + n) for n in range(SCANS)],
    }
    rows = []
    for name, paths in kinds.items():
        before = running.cpu_seconds()
        figures = {RATE: len(paths) / await running.read(paths)}
        after = running.cpu_seconds()
        figures |= {CPU[process]: (after[process] - before[process]) * 1000 / len(paths) for process in CPU}
        rows.append(Row(name, figures))
    return rows


async def _mixed(running: Service, folder: Path, ours: Row) -> None:
    held = []
    for first, last in ((0, MIXED // 5), (MIXED // 5, MIXED)):
        await running.read([_mixed_document(folder, number) for number in range(first, last)])
        held.append(running.memory_mb())
    (worker_before, parser_before), (worker_after, parser_after) = held
    ours.figures[WORKER] = worker_after - worker_before
    ours.figures[PARSER] = parser_after - parser_before


def _mixed_document(folder: Path, number: int) -> Path:
    if number % 5 == 0:
        return write_pdf(folder / f"mixed-{number}.pdf", 1 + number % 4, 50_000 + number)
    path = folder / f"mixed-{number}"
    contents = (
        f"<html><h1>Letter {number}</h1><p>Dear customer</p><table><tr><td>Total</td><td>{number}</td></tr></table>",
        f"name,amount\nfirst,{number}\nsecond,2\nthird,3\n",
        f"From: a@example.org\nTo: b@example.org\nSubject: Order {number}\nMIME-Version: 1.0\n\nText",
        f"Plain text number {number}\n\n" + "A line of it.\n" * 20,
    )
    path.write_text(contents[number % 5 - 1])
    return path


async def _children(folder: Path, ours: Row) -> None:
    limits = Limits()
    async with Sandbox(limits, tasks=registry, children=1) as sandbox:
        small = write_pdf(folder / "small.pdf", 1, 1)
        begun = time.perf_counter()
        await _read(sandbox, small)
        ours.figures[START] = (time.perf_counter() - begun) * 1000
        warm = []
        for _ in range(WARM_ROUNDS):
            begun = time.perf_counter()
            await _read(sandbox, small)
            warm.append((time.perf_counter() - begun) * 1000)
        ours.figures[WARM] = statistics.median(warm)
    async with Sandbox(limits, tasks=registry, children=1) as sandbox:
        few, many = [
            await _peak_mb(sandbox, write_pdf(folder / f"{pages}-pages.pdf", pages, pages)) for pages in (100, 1000)
        ]
    ours.figures[LONG] = many - few


async def _peak_mb(sandbox: Sandbox, path: Path) -> float:
    """Of the process that reads the document, which ends with it: looked at until its last page."""
    peaks = []
    await _read(sandbox, path, lambda _: peaks.append(largest_child_mb(os.getpid(), "VmHWM")))
    return max(peaks)


async def _read(sandbox: Sandbox, path: Path, on_progress: OnProgress | None = None) -> None:
    task = ReadDocument(InputPath(path), SharedPath(path.with_suffix(".pages")), "application/pdf")
    await sandbox.run(task, on_progress=on_progress)


def _targets(ours: Row) -> list[Target]:
    return [
        Target("PDF pages/s beside the words of raw PDFium in one process", 1.2, ours.figures[WORDS_SHARE]),
        Target("OCR pages/s beside the raw engine in as many processes", 0.9, ours.figures[OCR_SHARE]),
        Target("memory that 1,000 pages add to a parser process, MB", 64, ours.figures[LONG], at_most=True),
        Target("memory that 800 more documents add to the worker, MB", 32, ours.figures[WORKER], at_most=True),
        Target("memory that 800 more documents add to a zygote, MB", 64, ours.figures[PARSER], at_most=True),
    ]
