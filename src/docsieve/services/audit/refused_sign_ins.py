"""Failed sign-ins in the audit log, limited in number: anyone can cause them, and the log keeps everything."""

import time
from collections.abc import Callable
from uuid import UUID

from docsieve.db.access import tenants
from docsieve.db.audit.append import append
from docsieve.db.connection.session import Database
from docsieve.domain.audit import Action, NewEntry, Source
from docsieve.errors import DocsieveError
from docsieve.services.access import keys
from docsieve.services.access.tenants import DEFAULT

PER_MINUTE = 10


class RefusedSignIns:
    """Records at most PER_MINUTE per tenant, and how many were left out since. Local to the process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._minute = 0
        self._recorded: dict[UUID, int] = {}
        self._left_out: dict[UUID, int] = {}

    async def record(
        self, database: Database, reason: DocsieveError, source: Source, *, presented: str | None = None
    ) -> None:
        """In the log of the tenant whose key was `presented`; in the operator's if there is no such key, or a link."""
        async with database.system() as connection:
            owner = await keys.owner_of(connection, presented) if presented is not None else None
            tenant = None if owner is not None else await tenants.find(connection, DEFAULT)
            if owner is not None:
                key_id, tenant_id, name = owner
                actor = source.actor("key", key_id, name)
            elif tenant is not None:
                key_id, tenant_id, actor = None, tenant.id, source.actor("key", None, None)
            else:
                return
            if not self._may_record(tenant_id):
                return
            details = {"reason": reason.code, "left_out_before": self._left_out.pop(tenant_id, 0)}
            entry = NewEntry(Action.sign_in_failed, "key", key_id, None, details)
            async with connection.transaction():
                await append(connection, tenant_id, actor, [entry])

    def _may_record(self, tenant_id: UUID) -> bool:
        minute = int(self._clock() // 60)
        if minute != self._minute:
            self._minute, self._recorded = minute, {}
        if self._recorded.get(tenant_id, 0) >= PER_MINUTE:
            self._left_out[tenant_id] = self._left_out.get(tenant_id, 0) + 1
            return False
        self._recorded[tenant_id] = self._recorded.get(tenant_id, 0) + 1
        return True
