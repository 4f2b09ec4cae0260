"""Data keys that are nowhere but in memory."""

import os
from uuid import UUID, uuid4

from docsieve.blobs.sealed.port import KEY_BYTES, DataKey, DataKeys
from docsieve.errors.blobs import EncryptionKeyDeleted, EncryptionKeyUnavailable

TENANT = UUID(int=1)
OTHER = UUID(int=2)


class KeysInMemory(DataKeys):
    def __init__(self) -> None:
        self.on = True
        self.keys: dict[UUID, list[DataKey]] = {}

    @property
    def enabled(self) -> bool:
        return self.on

    def rotate(self, tenant_id: UUID = TENANT) -> DataKey:
        made = DataKey(uuid4(), os.urandom(KEY_BYTES))
        self.keys.setdefault(tenant_id, []).append(made)
        return made

    async def current(self, tenant_id: UUID) -> DataKey:
        return self.keys[tenant_id][-1] if tenant_id in self.keys else self.rotate(tenant_id)

    async def find(self, tenant_id: UUID, key_id: UUID) -> DataKey:
        if not self.on:
            raise EncryptionKeyUnavailable
        for each in self.keys.get(tenant_id, []):
            if each.id == key_id:
                return each
        raise EncryptionKeyDeleted

    async def exist(self, tenant_id: UUID) -> bool:
        return tenant_id in self.keys
