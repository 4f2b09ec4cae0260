"""Whose data a piece of work may see."""

from dataclasses import dataclass
from uuid import UUID

# Work that belongs to nobody, such as sweeping the blob store, runs under this tenant; no key can be made for it.
SYSTEM_TENANT = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Scope:
    """A tenant, and one of its projects where the key is limited to that project."""

    tenant_id: UUID
    project_id: UUID | None = None
