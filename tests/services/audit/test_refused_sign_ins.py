"""Failed sign-ins cannot fill the audit log."""

from docsieve.db.access.tenants import Tenant
from docsieve.db.audit import log
from docsieve.domain.audit import Entry, Source
from docsieve.domain.scope import Scope
from docsieve.errors import Unauthorized
from docsieve.services.audit.refused_sign_ins import PER_MINUTE, RefusedSignIns
from tests.api.running import Running


async def test_per_minute_and_tenant_a_few_are_recorded_and_the_others_counted(api: Running, acme: Tenant) -> None:
    now = 600.0
    refused, key = RefusedSignIns(lambda: now), await api.key(acme, "read")

    async def entries() -> list[Entry]:
        async with api.resources.database.tenant(Scope(acme.id)) as session:
            return await log.after(session.connection, acme.id, 0, limit=100)

    async def refuse() -> None:
        await refused.record(api.resources.database, Unauthorized(), Source("192.0.2.1"), presented=f"{key}0")

    for _ in range(PER_MINUTE + 5):
        await refuse()
    assert len(await entries()) == PER_MINUTE
    now += 60
    await refuse()
    last = (await entries())[-1]
    assert (last.number, last.details) == (PER_MINUTE + 1, '{"left_out_before":5,"reason":"unauthorized"}')
    assert last.remote_address == "192.0.2.1"
