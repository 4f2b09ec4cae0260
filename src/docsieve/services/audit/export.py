"""Exports the audit log as a file that is written while it is sent, oldest entries first."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict
from typing import Any, Literal

from docsieve.db.audit import log
from docsieve.db.audit.log import AuditFilter
from docsieve.db.connection.session import Database
from docsieve.domain.audit import Action, Entry
from docsieve.domain.scope import Scope
from docsieve.tables.cells import json_text
from docsieve.tables.columns import Column
from docsieve.tables.csv_file import CsvFile

Format = Literal["csv", "jsonl"]
MEDIA_TYPES: dict[Format, str] = {"csv": "text/csv", "jsonl": "application/jsonl"}
COLUMNS = (
    Column("number", "integer"),
    Column("at", "datetime"),
    Column("project_id"),
    Column("actor_kind"),
    Column("actor_id"),
    Column("actor_name"),
    Column("remote_address"),
    Column("forwarded_for"),
    Column("action"),
    Column("object_type"),
    Column("object_id"),
    Column("details", "json"),
    Column("hash"),
)
_PAGE = 1_000

_Write = Callable[[Sequence[Entry]], bytes]


async def start(database: Database, scope: Scope, wanted: AuditFilter, format: Format) -> AsyncIterator[bytes]:
    """The bytes of the file. The export is recorded too, and is the last entry if the filter includes it."""
    async with database.tenant(scope) as session:
        chosen = {name: value for name, value in asdict(wanted).items() if value is not None}
        session.audit(Action.audit_exported, "audit", None, {"format": format, "filter": chosen})
    return _contents(database, scope, wanted, _WRITERS[format]())


async def _contents(database: Database, scope: Scope, wanted: AuditFilter, write: _Write) -> AsyncIterator[bytes]:
    """In pages, each in its own transaction, so that none is open while a client takes its time."""
    yield write([])
    number = 0
    while True:
        async with database.tenant(scope) as session:
            entries = await log.list_page(session, wanted, after=number, limit=_PAGE)
        if entries:
            number = entries[-1].number
            yield write(entries)
        if len(entries) < _PAGE:
            return


def _fields(entry: Entry) -> dict[str, Any]:
    written = {**asdict(entry), "at": entry.at.isoformat(), "hash": entry.hash.hex()}
    return {each.name: written[each.name] for each in COLUMNS}


def _csv() -> _Write:
    file = CsvFile(COLUMNS, bom=True)
    return lambda entries: file.write(
        [
            [value if value is None or isinstance(value, int) else str(value) for value in _fields(each).values()]
            for each in entries
        ]
    )


def _json_lines(entries: Sequence[Entry]) -> bytes:
    """The details stay as they were hashed."""
    lines = []
    for each in entries:
        fields = {name: value for name, value in _fields(each).items() if name != "details"}
        lines.append(f'{json_text(fields)[:-1]}, "details": {each.details}}}\n')
    return "".join(lines).encode()


_WRITERS: dict[Format, Callable[[], _Write]] = {"csv": _csv, "jsonl": lambda: _json_lines}
