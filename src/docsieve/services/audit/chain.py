"""Verifies the chain of hashes of the audit log."""

from dataclasses import dataclass
from uuid import UUID

from docsieve.db.audit import log
from docsieve.db.audit.log import Head
from docsieve.db.connection.driver import Connection
from docsieve.domain.audit import Entry, entry_hash

_SLICE = 1_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far the log is sound, from the entry after those that were pruned. `fault` describes the first that is not.

    `entries` is the number of the last sound entry.
    """

    entries: int
    head: bytes
    fault: str | None = None
    pruned: int = 0


async def verify(connection: Connection, tenant_id: UUID, *, expected: bytes | None = None) -> Verdict:
    """Compare every entry of a tenant with its hash, and the last one with the recorded end of the log.

    If entries were pruned, the chain continues from the hash in the newest entry `audit.pruned`, which is part of it.
    Anyone who can write to the whole database can cut off the end, or compute all hashes again. That shows only in a
    hash that was noted elsewhere: `expected` must be the hash of an entry.
    """
    end = await log.head(connection, tenant_id) or Head(0, b"")
    start = await log.pruned(connection, tenant_id) or Head(0, b"")
    number, previous = start.entries, start.hash
    seen = expected in (None, previous)
    while number < end.entries and (entries := await log.after(connection, tenant_id, number, limit=_SLICE)):
        for entry in entries[: end.entries - number]:  # others were added since
            fault = _fault(number, previous, entry)
            if fault is not None:
                return Verdict(number, previous, fault, start.entries)
            number, previous = entry.number, entry.hash
            seen = seen or previous == expected
    fault = None
    if (number, previous) != (end.entries, end.hash):
        fault = f"Entry {number + 1} is missing."
    elif not seen:
        fault = (
            "No entry has the expected hash. The end of the log was cut off, the log was written again, or the entry"
            " was pruned."
        )
    return Verdict(number, previous, fault, start.entries)


def _fault(number: int, previous: bytes, entry: Entry) -> str | None:
    if entry.number != number + 1:
        return f"Entry {number + 1} is missing."
    if entry_hash(previous, entry) != entry.hash:
        return f"Entry {entry.number} was altered, or the one before it was replaced."
    return None
