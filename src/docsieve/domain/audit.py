"""Entries of the audit log, and the chain of hashes that shows whether one was changed or removed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID


class Action(StrEnum):
    """Everything that is recorded, as object and past participle."""

    signed_in = "session.started"
    sign_in_failed = "session.refused"
    signed_out = "session.ended"
    link_created = "link.created"
    key_created = "key.created"
    key_revoked = "key.revoked"
    tenant_created = "tenant.created"
    tenant_changed = "tenant.changed"
    tenant_key_rotated = "tenant.key_rotated"
    tenant_deletion_requested = "tenant.deletion_requested"
    tenant_deleted = "tenant.deleted"
    project_created = "project.created"
    project_changed = "project.changed"
    project_deleted = "project.deleted"
    schema_created = "schema.created"
    schema_changed = "schema.changed"
    schema_deleted = "schema.deleted"
    prompt_created = "prompt.created"
    prompt_changed = "prompt.changed"
    prompt_deleted = "prompt.deleted"
    class_created = "class.created"
    class_deleted = "class.deleted"
    document_downloaded = "document.downloaded"
    document_deleted = "document.deleted"
    files_deleted = "document.files_deleted"
    splits_changed = "document.splits_changed"
    original_deleted = "document.original_deleted"
    results_deleted = "extraction.deleted"
    batch_deleted = "batch.deleted"
    exported = "extractions.exported"
    dataset_exported = "dataset.exported"
    audit_exported = "audit.exported"
    audit_pruned = "audit.pruned"
    corrected = "extraction.corrected"
    accepted = "extraction.accepted"
    undone = "extraction.undone"
    verified = "extraction.verified"
    hold_placed = "hold.placed"
    hold_released = "hold.released"
    endpoint_created = "endpoint.created"
    endpoint_changed = "endpoint.changed"
    endpoint_deleted = "endpoint.deleted"
    endpoint_rotated = "endpoint.secret_rotated"
    deliveries_replayed = "endpoint.replayed"
    delivery_replayed = "delivery.replayed"
    maintenance_started = "maintenance.started"


ActorKind = Literal["key", "session", "scheduler", "rule", "system"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: an API key, a session of one, a scheduler outside, a rule, or the server itself, and from where."""

    kind: ActorKind
    id: str | None = None
    name: str | None = None
    remote_address: str | None = None
    forwarded_for: str | None = None

    @classmethod
    def rule(cls, name: str) -> "Actor":
        return cls("rule", name)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a request comes from: the address that is connected to us, and what X-Forwarded-For says about it."""

    remote_address: str | None = None
    forwarded_for: str | None = None

    def actor(self, kind: ActorKind, id: str | None, name: str | None) -> Actor:
        return Actor(kind, id, name, self.remote_address, self.forwarded_for)


SYSTEM = Actor("system")
COMMAND_LINE = Actor("system", name="command line")


@dataclass(frozen=True, slots=True)
class NewEntry:
    """Something to record. `details` contains no document text, no values and no secrets."""

    action: Action
    object_type: str
    object_id: str | None
    project_id: UUID | None
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """`details` is JSON as it was hashed."""

    tenant_id: UUID
    number: int
    at: datetime
    project_id: UUID | None
    actor_kind: str
    actor_id: str | None
    actor_name: str | None
    remote_address: str | None
    forwarded_for: str | None
    action: str
    object_type: str
    object_id: str | None
    details: str
    hash: bytes


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def entry_hash(previous: bytes, entry: Entry) -> bytes:
    """The hash that the entry must have after the entry with the hash `previous`, which is empty for the first one."""
    fields = (
        str(entry.tenant_id),
        str(entry.number),
        str((entry.at - _EPOCH) // timedelta(microseconds=1)),
        str(entry.project_id) if entry.project_id is not None else None,
        entry.actor_kind,
        entry.actor_id,
        entry.actor_name,
        entry.remote_address,
        entry.forwarded_for,
        entry.action,
        entry.object_type,
        entry.object_id,
        entry.details,
    )
    written = ",".join("-" if each is None else f"{len(each.encode())}:{each}" for each in fields)
    return hashlib.sha256(previous + written.encode()).digest()


def details_text(details: Mapping[str, Any]) -> str:
    return json.dumps(details, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
