"""The tenant and project that an operation may access, and who performs it."""

from dataclasses import dataclass, field
from uuid import UUID

from docsieve.domain.audit import SYSTEM, Actor

# Maintenance work, such as sweeping the blob store, runs under this tenant. It cannot have keys.
SYSTEM_TENANT = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Scope:
    """A tenant, and one of its projects if the key is restricted to it. The actor is for the audit log."""

    tenant_id: UUID
    project_id: UUID | None = None
    actor: Actor = field(default=SYSTEM, compare=False)
