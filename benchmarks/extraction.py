"""What extraction costs next to reading and next to another checkout, and whether a long table comes out whole."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.extractions.documents import TABLE_SCHEMA, Entry, write_invoice, write_table
from benchmarks.extractions.engine import measure_engine
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from docsieve.domain.extraction import ExtractionSpec
from docsieve.domain.schemas.ready import READY
from docsieve.offline.page_cache import ReadFile
from docsieve.offline.session import OfflineSession, open_session
from docsieve.settings import Settings

ROUNDS = 3
INVOICES = 40
SHORT, LONG = 500, 5_000
READING, EXTRACTING, RATIO = "reading documents/s", "extracting documents/s", "× reading"
SECONDS, ROWS, WHOLE = "seconds", "rows out", "cells right"
COLUMNS = (READING, EXTRACTING, RATIO, SECONDS, ROWS, WHOLE)
METHOD = f"""One sandboxed process, one document after another. {INVOICES} invoices of one page are read, and the schema
`invoice` is extracted from their pages by the local engine, with grounding, checks and confidence; median of {ROUNDS}
rounds, in turns. Tables of {SHORT:,} and {LONG:,} rows over many pages are extracted by a schema of one list, and what
comes out is compared cell by cell with the table as written."""


async def run(_: BenchServer, __: Sequence[str], *, against: Path | None = None) -> list[Section]:
    with tempfile.TemporaryDirectory(prefix="bench-extract-") as folder:
        async with open_session(Settings.from_environment(), cache=None, processes=1) as session:
            invoices = await _invoices(session, Path(folder))
            tables = [await _table(session, Path(folder), rows) for rows in (SHORT, LONG)]
        engine = await asyncio.to_thread(measure_engine, Path(folder), against)
    growth = tables[1].figures[SECONDS] / tables[0].figures[SECONDS] / (LONG / SHORT)
    section = Section("Extracting", METHOD, COLUMNS, [invoices, *tables], _targets(tables[1], growth))
    return [section, *engine]


async def _invoices(session: OfflineSession, folder: Path) -> Row:
    spec = ExtractionSpec(READY["invoice"])
    warm = await _read(session, write_invoice(folder / "warm.pdf", 9_999))
    await session.extract([warm], spec, _silent)
    rates: dict[str, list[float]] = {READING: [], EXTRACTING: []}
    for turn in range(ROUNDS):
        # other bytes each time: a document is not read twice
        paths = [write_invoice(folder / f"{turn}-{n}.pdf", turn * 1000 + n) for n in range(INVOICES)]
        started = time.perf_counter()
        files = [await _read(session, path) for path in paths]
        read = time.perf_counter()
        for file in files:
            await session.extract([file], spec, _silent)
        rates[READING].append(INVOICES / (read - started))
        rates[EXTRACTING].append(INVOICES / (time.perf_counter() - read))
    figures = {name: statistics.median(each) for name, each in rates.items()}
    return Row("invoices", {**figures, RATIO: figures[EXTRACTING] / figures[READING]})


async def _table(session: OfflineSession, folder: Path, rows: int) -> Row:
    path = folder / f"table-{rows}.pdf"
    entries = write_table(path, rows)
    file = await _read(session, path)
    started = time.perf_counter()
    extracted = await session.extract([file], ExtractionSpec(TABLE_SCHEMA), _silent)
    seconds = time.perf_counter() - started
    found = extracted.result.value["entries"]
    wanted = [_cells(entry) for entry in entries]
    right = sum(each[name] == entry[name] for each, entry in zip(found, wanted, strict=False) for name in entry)
    share = right / (len(wanted) * len(wanted[0]))
    return Row(f"table of {rows:,} rows", {SECONDS: seconds, ROWS: len(found), WHOLE: share})


def _cells(entry: Entry) -> dict[str, object]:
    return {
        "number": entry.number,
        "date": entry.day.isoformat(),
        "article": entry.article,
        "quantity": entry.quantity,
        "amount": entry.amount,
    }


async def _read(session: OfflineSession, path: Path) -> ReadFile:
    return await session.read(path, _silent)


def _silent(_: object) -> None:
    return None


def _targets(table: Row, growth: float) -> list[Target]:
    return [
        Target(f"rows that come out of a table of {LONG:,}", LONG, table.figures[ROWS]),
        Target("of them, cells that are right", 0.999, table.figures[WHOLE]),
        Target("time for ten times the rows, by ten", 1.5, growth, at_most=True),
    ]
