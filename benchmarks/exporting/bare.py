"""`python -m benchmarks.exporting.bare csv|xlsx|memory DSN FILE`: what one would write by hand for one schema.

A cursor over the same rows, one `json.loads` each, and the writer of the library. It checks nothing, knows no
corrections and no second schema, and blocks its process. `memory` is the `csv` module alone, with all rows made before.
"""

import asyncio
import csv
import json
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import xlsxwriter

from benchmarks.exporting.rows import SCHEMA

_QUERY = """
select id, status, confidence, needs_review, schema_name, error_code, value, array(
    select filename from extraction_documents as its join documents on documents.id = its.document_id
    where its.extraction_id = extractions.id order by position)
from extractions order by id"""
_ABOUT = ["id", "files", "status", "confidence", "needs_review", "schema", "error"]
_SINGLE = [name for name, each in SCHEMA["properties"].items() if each["type"] not in ("object", "array")]
_PARTIES = [(party, name) for party in ("seller", "buyer") for name in ("name", "address", "vat_id")]
_TITLES = [*_ABOUT, *_SINGLE, *(f"{party}.{name}" for party, name in _PARTIES), "lines"]


async def _rows(dsn: str) -> AsyncIterator[list[Any]]:
    connection = await asyncpg.connect(dsn)
    async with connection.transaction():
        async for row in connection.cursor(_QUERY, prefetch=1_000):
            value = json.loads(row[6])
            about = [str(row[0]), "; ".join(row[7]), row[1], row[2], row[3], row[4], row[5]]
            single = [value.get(name) for name in _SINGLE]
            parties = [value[party].get(name) for party, name in _PARTIES]
            yield [*about, *single, *parties, json.dumps(value["lines"], ensure_ascii=False)]
    await connection.close()


async def _csv(dsn: str, path: str) -> float:
    started = time.perf_counter()
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_TITLES)
        async for row in _rows(dsn):
            writer.writerow(row)
    return time.perf_counter() - started


async def _memory(dsn: str, path: str) -> float:
    rows = [row async for row in _rows(dsn)]
    started = time.perf_counter()
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([_TITLES, *rows])
    return time.perf_counter() - started


async def _xlsx(dsn: str, path: str) -> float:
    started = time.perf_counter()
    with xlsxwriter.Workbook(path, {"constant_memory": True, "strings_to_urls": False}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, _TITLES)
        number = 0
        async for row in _rows(dsn):
            number += 1
            sheet.write_row(number, 0, row)
    return time.perf_counter() - started


if __name__ == "__main__":
    loop = {"csv": _csv, "xlsx": _xlsx, "memory": _memory}[sys.argv[1]]
    print(asyncio.run(loop(sys.argv[2], sys.argv[3])))
