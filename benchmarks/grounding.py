"""What it costs to find values on their pages, beside reading them, and how that grows with pages and rows."""

import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.extractions.documents import TABLE_SCHEMA, write_table
from benchmarks.readings.documents import write_pdf
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from docsieve.analysis.proof.grounding.ground import ground
from docsieve.domain.extraction import Found, Material
from docsieve.domain.pages.page import Page
from docsieve.domain.pages.pagefile import pages_in
from docsieve.domain.schemas.fields import Schema
from docsieve.offline.session import OfflineSession, open_session
from docsieve.settings import Settings

ROUNDS = 3
VALUES = 500
PAGES = (75, 300)
ROWS = (1_250, 5_000)
READING, GROUNDING, SHARE, FOUND, PLACED = "reading s", "grounding s", "× reading", "found", "on its own row"
COLUMNS = (READING, GROUNDING, SHARE, FOUND, PLACED)
METHOD = f"""PDFs are read by one sandboxed process. {VALUES} values, pieces of one to six words of the text, some with
a letter changed, are looked up on {PAGES[0]} and on {PAGES[1]} pages with no hint where they stand; and all cells of
tables of {ROWS[0]:,} and {ROWS[1]:,} rows, of which many are equal. Processor time, the best of {ROUNDS} rounds."""


async def run(_: BenchServer, __: Sequence[str]) -> Section:
    with tempfile.TemporaryDirectory(prefix="bench-ground-") as folder:
        async with open_session(Settings.from_environment(), cache=None, processes=1) as session:
            texts = [await _text(session, Path(folder), pages) for pages in PAGES]
            tables = [await _table(session, Path(folder), rows) for rows in ROWS]
    return Section("Grounding", METHOD, COLUMNS, [*texts, *tables], _targets(texts, tables))


async def _text(session: OfflineSession, folder: Path, pages: int) -> Row:
    read, reading = await _read(session, write_pdf(folder / f"text-{pages}.pdf", pages, seed=pages))
    values = _pieces(read, random.Random(pages))
    schema: Schema = {"type": "object", "properties": {name: {"type": "string"} for name in values}}
    found = {name: Found(value) for name, value in values.items()}
    seconds = _best(read, schema, found)
    groundings = ground([Material("d", read)], schema, found)
    share = sum(bool(each.evidence) for each in groundings.values()) / len(found)
    figures = {READING: reading, GROUNDING: seconds, SHARE: seconds / reading, FOUND: share}
    return Row(f"{VALUES} values, {pages} pages", figures)


async def _table(session: OfflineSession, folder: Path, rows: int) -> Row:
    path = folder / f"table-{rows}.pdf"
    entries = write_table(path, rows)
    read, reading = await _read(session, path)
    found: dict[str, Found] = {}
    for number, entry in enumerate(entries):
        row = f"entries[{number}]"
        found[f"{row}.number"] = Found(entry.number)
        found[f"{row}.date"] = Found(entry.day.isoformat())
        found[f"{row}.article"] = Found(entry.article)
        found[f"{row}.quantity"] = Found(entry.quantity)
        found[f"{row}.amount"] = Found(entry.amount)
    seconds = _best(read, TABLE_SCHEMA, found)
    groundings = ground([Material("d", read)], TABLE_SCHEMA, found)
    placed = 0
    for path_of_leaf, each in groundings.items():
        anchor = groundings[path_of_leaf.split(".")[0] + ".number"].evidence
        same_page = each.evidence and anchor and each.evidence[0].page == anchor[0].page
        placed += bool(same_page and abs(each.evidence[0].box[1] - anchor[0].box[1]) < 4)
    share = sum(bool(each.evidence) for each in groundings.values()) / len(found)
    figures = {READING: reading, GROUNDING: seconds, SHARE: seconds / reading, FOUND: share}
    return Row(f"table of {rows:,} rows", {**figures, PLACED: placed / len(found)})


async def _read(session: OfflineSession, path: Path) -> tuple[list[Page], float]:
    started = time.perf_counter()
    file = await session.read(path, lambda _: None)
    return list(pages_in(file.pages)), time.perf_counter() - started


def _best(pages: list[Page], schema: Schema, found: dict[str, Found]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        ground([Material("d", pages)], schema, found)
        times.append(time.process_time() - started)
    return min(times)


def _pieces(pages: list[Page], chosen: random.Random) -> dict[str, str]:
    values = {}
    for number in range(VALUES):
        words = [word.text for word in chosen.choice(chosen.choice(pages).lines).words]
        first = chosen.randrange(len(words))
        text = " ".join(words[first : first + chosen.randint(1, 6)])
        if number % 10 == 0 and len(text) > 12 and text[5].isalpha():
            text = text[:5] + "q" + text[6:]
        values[f"value_{number}"] = text
    return values


def _targets(texts: list[Row], tables: list[Row]) -> list[Target]:
    def growth(rows: list[Row], times: float) -> float:
        return rows[1].figures[GROUNDING] / rows[0].figures[GROUNDING] / times

    return [
        Target("values found over many pages", 0.97, texts[1].figures[FOUND]),
        Target("time for four times the pages, by four", 1.25, growth(texts, PAGES[1] / PAGES[0]), at_most=True),
        Target("cells of a long table found on their row", 0.99, tables[1].figures[PLACED]),
        Target("time for four times the rows, by four", 1.25, growth(tables, ROWS[1] / ROWS[0]), at_most=True),
    ]
