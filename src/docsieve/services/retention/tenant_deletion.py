"""Deletes a tenant with everything it has, and certifies it.

The keys that decrypt its blobs go with the request, so that nothing that is left of them can be read. Then rows go
table by table in slices, then blobs, then the tenant's audit log, then the tenant. Each step can be repeated:
after a crash, the next attempt continues with the rest. The certificate lists the data found at the beginning and is
written only when nothing is left; its hash is recorded in the audit log of the operator.
"""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from docsieve import faults
from docsieve.db.access import tenants
from docsieve.db.audit.append import append
from docsieve.db.connection.session import Database
from docsieve.db.queue.new_jobs import enqueue_alone
from docsieve.db.retention import tenant_deletions
from docsieve.db.retention.tenant_deletions import TenantDeletion
from docsieve.domain.audit import SYSTEM, Action, NewEntry
from docsieve.domain.documents import BLOB_FOLDERS
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.scope import SYSTEM_TENANT, Scope
from docsieve.errors import NotFound, Unavailable
from docsieve.errors.retention import LegalHold, OperatorTenant
from docsieve.resources import Resources
from docsieve.services.access.tenants import DEFAULT

_ROWS_AT_ONCE = 2_000
_BLOBS_AT_ONCE = 500
_MAX_ATTEMPTS = 10


class DeleteTenant(JobArgs):
    """Deletes a tenant that was shut out before."""

    job_type = "delete_tenant"
    queue = "maintenance"

    deletion_id: UUID


async def request(database: Database, name: str, *, by: Scope) -> TenantDeletion:
    """Shut a tenant out and queue its deletion. Asked for again, continue a deletion that failed.

    Raises NotFound, OperatorTenant, and LegalHold if anything of the tenant is held.
    """
    if name == DEFAULT:
        raise OperatorTenant
    async with database.system() as connection, connection.transaction():
        tenant = await tenants.find(connection, name)
        if tenant is None:
            raise NotFound(f"Tenant {name} not found.")
        await tenant_deletions.lock(connection, tenant.id)
        if await tenant_deletions.has_holds(connection, tenant.id):
            raise LegalHold(f"Tenant {name} has something under legal hold.")
        deletion = await tenant_deletions.begin(connection, tenant, by.actor)
        details = {"name": name, "deletion": deletion.id}
        entry = NewEntry(Action.tenant_deletion_requested, "tenant", str(tenant.id), None, details)
        await append(connection, by.tenant_id, by.actor, [entry])
    job = NewJob(DeleteTenant(deletion_id=deletion.id), max_attempts=_MAX_ATTEMPTS, unique_key=str(deletion.id))
    await enqueue_alone(database, SYSTEM_TENANT, [job])
    return deletion


async def run(resources: Resources, deletion_id: UUID) -> None:
    """Delete the rest of the tenant. Raises LegalHold, and Unavailable if something was added meanwhile."""
    async with resources.database.system() as connection:
        deletion = await tenant_deletions.find(connection, deletion_id)
        if deletion is None or deletion.certificate is not None:
            return
        resources.keyring.forget(deletion.tenant_id)
        if await tenant_deletions.has_holds(connection, deletion.tenant_id):
            raise LegalHold("Something of the tenant is under legal hold.")
        tables = await tenant_deletions.tables(connection)
        if deletion.rows is None:
            rows = await tenant_deletions.count_rows(connection, tables, deletion.tenant_id)
            await tenant_deletions.record_rows(connection, deletion.id, rows)
        await tenant_deletions.record_audit_head(connection, deletion.id, deletion.tenant_id)
    for table in tables:
        await _empty(resources.database, table, deletion.tenant_id)
    await _delete_blobs(resources, deletion)
    await _complete(resources.database, deletion.id, tables)


async def _empty(database: Database, table: str, tenant_id: UUID) -> None:
    deleted = _ROWS_AT_ONCE
    while deleted == _ROWS_AT_ONCE:
        async with database.system() as connection:
            deleted = await tenant_deletions.delete_slice(connection, table, tenant_id, limit=_ROWS_AT_ONCE)
        faults.step("tenant.slice_deleted")


async def _delete_blobs(resources: Resources, deletion: TenantDeletion) -> None:
    for folder in BLOB_FOLDERS:
        objects = size = 0
        async for blob in resources.blobs.list(f"{folder}/{deletion.tenant_id}"):
            await resources.blobs.delete(blob.key)
            objects, size = objects + 1, size + blob.size
            if objects == _BLOBS_AT_ONCE:
                await _count(resources.database, deletion.id, objects, size)
                objects = size = 0
        await _count(resources.database, deletion.id, objects, size)


async def _count(database: Database, deletion_id: UUID, objects: int, size: int) -> None:
    async with database.system() as connection:
        await tenant_deletions.add_objects(connection, deletion_id, objects=objects, object_bytes=size)
    faults.step("tenant.blobs_deleted")


async def _complete(database: Database, deletion_id: UUID, tables: list[str]) -> None:
    async with database.system() as connection, connection.transaction():
        deletion = await tenant_deletions.find(connection, deletion_id)
        operator = await tenants.find(connection, DEFAULT)
        assert deletion is not None, "deletions are kept"
        left = await tenant_deletions.count_rows(connection, tables, deletion.tenant_id)
        if any(left.values()):
            raise Unavailable("Something was added to the tenant meanwhile; the deletion continues.")
        certificate = certify(deletion, datetime.now(UTC))
        await tenant_deletions.complete(connection, deletion, certificate)
        if operator is not None:
            details = {"name": deletion.tenant_name, "deletion": deletion.id, "certificate_hash": certificate["hash"]}
            entry = NewEntry(Action.tenant_deleted, "tenant", str(deletion.tenant_id), None, details)
            await append(connection, operator.id, SYSTEM, [entry])


def certify(deletion: TenantDeletion, completed_at: datetime) -> dict[str, Any]:
    """The certificate of a deletion. `hash` is the SHA-256 of the rest as JSON with sorted keys and without spaces."""
    facts = {
        "id": str(deletion.id),
        "tenant": {"id": str(deletion.tenant_id), "name": deletion.tenant_name},
        "period": {"from": deletion.tenant_created_at.isoformat(), "to": completed_at.isoformat()},
        "requested_by": deletion.requested_by,
        "requested_at": deletion.requested_at.isoformat(),
        "completed_at": completed_at.isoformat(),
        "rows": deletion.rows or {},
        "objects": deletion.objects,
        "bytes": deletion.object_bytes,
        "data_keys": {
            "deleted": deletion.data_keys,
            "deleted_at": deletion.data_keys_deleted_at.isoformat() if deletion.data_keys_deleted_at else None,
        },
        "audit_log": {
            "entries": deletion.audit_entries or 0,
            "head": deletion.audit_head.hex() if deletion.audit_head is not None else None,
        },
    }
    return {**facts, "hash": certificate_hash(facts)}


def certificate_hash(certificate: dict[str, Any]) -> str:
    facts = {name: value for name, value in certificate.items() if name != "hash"}
    return hashlib.sha256(
        json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    ).hexdigest()
