"""The tenant and project that an operation may access."""

from dataclasses import dataclass
from uuid import UUID

# Maintenance work, such as sweeping the blob store, runs under this tenant. It cannot have keys.
SYSTEM_TENANT = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Scope:
    """A tenant, and one of its projects if the key is restricted to it."""

    tenant_id: UUID
    project_id: UUID | None = None
