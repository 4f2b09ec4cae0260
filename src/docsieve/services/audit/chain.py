"""Verifies the chain of hashes of the audit log."""

from dataclasses import dataclass
from uuid import UUID

from docsieve.db.audit import log
from docsieve.db.connection.driver import Connection
from docsieve.domain.audit import Entry, entry_hash

_SLICE = 1_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far the log is sound. `fault` describes the first entry that is not."""

    entries: int
    head: bytes
    fault: str | None = None


async def verify(connection: Connection, tenant_id: UUID, *, expected: bytes | None = None) -> Verdict:
    """Compare every entry of a tenant with its hash, and the last one with the recorded end of the log.

    Anyone who can write to the whole database can cut off the end, or compute all hashes again. That shows only in a
    hash that was noted elsewhere: `expected` must be the hash of an entry.
    """
    end = await log.head(connection, tenant_id)
    number, previous, seen = 0, b"", expected is None
    while entries := await log.after(connection, tenant_id, number, limit=_SLICE):
        for entry in entries:
            if end is None or number == end.entries:
                break  # added since
            fault = _fault(number, previous, entry)
            if fault is not None:
                return Verdict(number, previous, fault)
            number, previous = entry.number, entry.hash
            seen = seen or previous == expected
        if end is None or number == end.entries:
            break
    fault = None
    if (number, previous) != ((end.entries, end.hash) if end is not None else (0, b"")):
        fault = f"Entry {number + 1} is missing."
    elif not seen:
        fault = "No entry has the expected hash. The end of the log was cut off, or the log was written again."
    return Verdict(number, previous, fault)


def _fault(number: int, previous: bytes, entry: Entry) -> str | None:
    if entry.number != number + 1:
        return f"Entry {number + 1} is missing."
    if entry_hash(previous, entry) != entry.hash:
        return f"Entry {entry.number} was altered, or the one before it was replaced."
    return None
