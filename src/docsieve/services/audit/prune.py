"""Deletes the oldest entries of an audit log in a way that leaves the chain of hashes verifiable."""

from datetime import datetime
from uuid import UUID

from docsieve.db.audit import log
from docsieve.db.audit.append import append
from docsieve.db.connection.session import Database
from docsieve.db.retention import tenant_deletions
from docsieve.domain.audit import Action, Actor, NewEntry
from docsieve.errors.retention import AuditLogDamaged, LegalHold
from docsieve.services.audit import chain


async def prune(database: Database, tenant_id: UUID, *, before: datetime, by: Actor, dry_run: bool) -> int:
    """Delete entries before a time, or only count them. Returns how many they are.

    The entry `audit.pruned` is added in the same transaction. It has the number and the hash of the last entry that was
    deleted, so that the chain can be verified from there on. Raises LegalHold if something of the tenant is held, and
    AuditLogDamaged if the log is not sound: pruning must not hide that.
    """
    async with database.system() as connection, connection.transaction():
        if await tenant_deletions.has_holds(connection, tenant_id):
            raise LegalHold("Something of the tenant is under legal hold, and so is its audit log.")
        verdict = await chain.verify(connection, tenant_id)
        if verdict.fault is not None:
            raise AuditLogDamaged(verdict.fault)
        last = await log.last_before(connection, tenant_id, before)
        if last is None or dry_run:
            return 0 if last is None else last.entries - verdict.pruned
        deleted = await log.delete_through(connection, tenant_id, last.entries)
        details = {"before": before, "deleted": deleted, "entries": last.entries, "hash": last.hash.hex()}
        await append(connection, tenant_id, by, [NewEntry(Action.audit_pruned, "audit", None, None, details)])
        return deleted
