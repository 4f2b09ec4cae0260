"""The keys that sealed blobs need, as the store sees them. `encryption` provides them."""

from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class DataKey:
    """A key of one tenant. Its bytes are never shown."""

    id: UUID
    secret: bytes = field(repr=False)


class DataKeys(Protocol):
    @property
    def enabled(self) -> bool:
        """Whether new blobs are sealed."""
        ...

    async def current(self, tenant_id: UUID) -> DataKey:
        """The key for new blobs, which is created if there is none.

        Raises EncryptionKeyUnavailable, and TenantDeleted for a tenant that is being deleted.
        """
        ...

    async def find(self, tenant_id: UUID, key_id: UUID) -> DataKey:
        """Raises EncryptionKeyUnavailable, and EncryptionKeyDeleted if the tenant has no such key."""
        ...

    async def exist(self, tenant_id: UUID) -> bool:
        """Whether the tenant has keys, so that some of its blobs may be sealed. Up to ten seconds old."""
        ...
