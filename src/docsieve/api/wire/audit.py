"""Entries of the audit log."""

import json
from typing import Any, Self
from uuid import UUID

from pydantic import AwareDatetime, Field

from docsieve.api.wire.base import ListPage, Wire
from docsieve.db.audit.log import Head
from docsieve.domain.audit import ActorKind, Entry


class ActorRead(Wire):
    """`id` is that of the API key, the subject of a scheduler's token, or the name of the rule.

    A session acts for a key. A scheduler without an `id` used the shared token.
    """

    kind: ActorKind
    id: str | None
    name: str | None


class AuditEntryRead(Wire):
    number: int = Field(description="Counts the entries of the tenant, without gaps.")
    at: AwareDatetime
    project_id: UUID | None
    actor: ActorRead
    remote_address: str | None = Field(description="The address that was connected to the API, perhaps a proxy's.")
    forwarded_for: str | None = Field(description="The X-Forwarded-For header as it was sent. Not verified.")
    action: str
    object_type: str
    object_id: str | None
    details: dict[str, Any]
    hash: str = Field(description="SHA-256 over this entry and the hash of the one before it.")

    @classmethod
    def of(cls, entry: Entry) -> Self:
        return cls(
            number=entry.number,
            at=entry.at,
            project_id=entry.project_id,
            actor=ActorRead.model_validate({"kind": entry.actor_kind, "id": entry.actor_id, "name": entry.actor_name}),
            remote_address=entry.remote_address,
            forwarded_for=entry.forwarded_for,
            action=entry.action,
            object_type=entry.object_type,
            object_id=entry.object_id,
            details=json.loads(entry.details),
            hash=entry.hash.hex(),
        )


class AuditHead(Wire):
    """The end of the log. Note it elsewhere: `docsieve audit verify --expect` shows whether it is still there."""

    entries: int
    hash: str

    @classmethod
    def of(cls, head: Head) -> Self:
        return cls(entries=head.entries, hash=head.hash.hex())


class AuditPage(ListPage):
    entries: list[AuditEntryRead]
    head: AuditHead | None = Field(description="Null before the first entry, and for keys restricted to a project.")
