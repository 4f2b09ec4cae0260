"""Exports extractions as a file that is written while it is sent.

Rows are read in pages, each in its own short transaction. One transaction over the whole export would keep vacuum from
cleaning the queue, and a connection of the pool from others, for as long as a slow client likes.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Literal, Protocol, TypeVar
from uuid import UUID

from docsieve import faults
from docsieve.db.extractions import exports
from docsieve.db.extractions.rows import ExtractionFilter
from docsieve.domain.audit import Action
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.scope import Scope
from docsieve.errors import Invalid
from docsieve.errors.extractions import TooManyColumns
from docsieve.resources import Resources
from docsieve.services.exports.json_file import JsonFile
from docsieve.services.exports.rows import ABOUT, KEYS, Exported, as_record, page
from docsieve.tables.csv_file import CsvFile
from docsieve.tables.files import MakeFile, SingleFile, TablesFile, ZippedFiles
from docsieve.tables.layout import Layout, Lists
from docsieve.tables.parquet_file import ParquetFile
from docsieve.tables.sheet import MAX_COLUMNS
from docsieve.tables.workbook import Workbook

Format = Literal["csv", "xlsx", "jsonl", "json", "parquet"]
MEDIA_TYPES: dict[str, str] = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "jsonl": "application/jsonl",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
    "zip": "application/zip",
}
TITLE = "extractions"
_MAX_SCHEMAS = 1_000
_MAX_LISTS = 100

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """`lists` defaults to sheets in a workbook, and to JSON in files that hold one table; `bom` of CSV to true."""

    format: Format
    lists: Lists | None = None
    evidence: bool = False
    bom: bool | None = None

    @property
    def nested(self) -> bool:
        """Whether the format can hold a list as it is."""
        return self.format in ("json", "jsonl")

    @property
    def lists_apart(self) -> bool:
        return self.lists == "sheets" or (self.lists is None and self.format == "xlsx")

    @property
    def extension(self) -> str:
        return "zip" if self.lists_apart and self.format in ("csv", "parquet") else self.format


class _File(Protocol):
    """See `TablesFile`, which takes records instead."""

    def write(self, rows: Sequence[Exported]) -> bytes: ...
    def finish(self) -> Iterator[bytes]: ...
    def close(self) -> None: ...


async def start(
    resources: Resources, scope: Scope, wanted: ExtractionFilter, options: ExportOptions
) -> AsyncIterator[bytes]:
    """The bytes of the file. Raises what is wrong with the request, and returns before rows are read.

    Extractions that are added meanwhile are not included. A row is exported as it is when its page is read.
    """
    if options.nested and options.lists is not None:
        raise Invalid("`lists` is for csv, xlsx and parquet. JSON holds lists as they are.")
    if options.format != "csv" and options.bom is not None:
        raise Invalid("`bom` is for csv.")
    async with resources.database.tenant(scope) as session:
        last = await exports.last_id(session, wanted)
        schemas = [] if options.nested else await exports.schemas(session, wanted, limit=_MAX_SCHEMAS + 1)
    file = await asyncio.to_thread(_file, options, schemas)
    try:
        await _record(resources, scope, wanted, options)
    except BaseException:
        file.close()
        raise
    return _contents(resources, scope, wanted, last, file, evidence=options.evidence)


async def _record(resources: Resources, scope: Scope, wanted: ExtractionFilter, options: ExportOptions) -> None:
    chosen = {name: value for name, value in asdict(wanted).items() if value is not None}
    async with resources.database.tenant(scope) as session:
        session.audit(Action.exported, "extractions", wanted.batch_id, {"format": options.format, "filter": chosen})


def _file(options: ExportOptions, schemas: Sequence[Schema]) -> _File:
    if options.nested:
        return JsonFile(array=options.format == "json", evidence=options.evidence)
    lists: Lists = "sheets" if options.lists_apart else "json"
    if len(schemas) > _MAX_SCHEMAS:
        raise TooManyColumns(f"The extractions use more than {_MAX_SCHEMAS:,} schemas. Filter by schema.")
    layout = Layout.of(schemas, about=ABOUT, keys=KEYS, lists=lists, evidence=options.evidence)
    widest = max(len(layout.main.columns), *(len(each.columns) for each in layout.lists), 0)
    if widest > MAX_COLUMNS or len(layout.lists) > _MAX_LISTS:
        raise TooManyColumns(
            f"The table would have {widest:,} columns and {len(layout.lists):,} lists of their own; at most"
            f" {MAX_COLUMNS:,} and {_MAX_LISTS:,} are possible. Filter by schema, or export JSON."
        )
    if options.format == "xlsx":
        return _Tables(Workbook(layout, title=TITLE))
    make: MakeFile = partial(CsvFile, bom=options.bom is not False) if options.format == "csv" else ParquetFile
    return _Tables(ZippedFiles(layout, make, title=TITLE) if options.lists_apart else SingleFile(layout, make))


class _Tables:
    def __init__(self, file: TablesFile) -> None:
        self._file = file
        self.finish = file.finish
        self.close = file.close

    def write(self, rows: Sequence[Exported]) -> bytes:
        return self._file.write([as_record(each) for each in rows])


async def _contents(
    resources: Resources, scope: Scope, wanted: ExtractionFilter, last: UUID | None, file: _File, *, evidence: bool
) -> AsyncIterator[bytes]:
    """The next page is read while one is written. An error ends the response without its last chunk."""

    async def read(after: UUID | None) -> list[Exported]:
        if last is None:
            return []
        async with resources.database.tenant(scope) as session:
            return await page(session, wanted, after=after, last=last, evidence=evidence)

    coming = asyncio.ensure_future(read(None))
    try:
        while rows := await coming:
            coming = asyncio.ensure_future(read(rows[-1].row.id))
            written = await _in_thread(partial(file.write, rows))
            faults.step("export.page_written")
            yield written
        faults.step("export.rows_written")
        pieces = file.finish()
        while (piece := await _in_thread(partial(next, pieces, None))) is not None:
            yield piece
    finally:
        coming.cancel()
        await asyncio.to_thread(file.close)


async def _in_thread(work: Callable[[], T]) -> T:
    """Rows are written in a thread, so that others get their answers. It has ended when this does."""
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
