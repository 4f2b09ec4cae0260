"""Archives among the documents of an extraction, without a worker: states are set as unpacking sets them."""

from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.extractions import rows as extractions
from docsieve.domain.scope import Scope
from docsieve.errors.extractions import TooManyDocuments
from docsieve.services.extractions.archives import MAX_DOCUMENTS, parts_without_archives
from tests.api.extracting import TOTAL, begun
from tests.api.running import Running, uploaded

_ENTER = "update documents set parent_id = $2, parent_path = $3 where id = $1"
_UNPACK = "update documents set status = 'unpacked' where id = $1"
_MANY = """
insert into documents (id, tenant_id, project_id, status, filename, media_type, size, sha256, parent_id, parent_path)
select gen_random_uuid(), tenant_id, project_id, 'ready', 'a.txt', 'text/plain', 1, 'x', id, number || '.txt'
from documents, generate_series(1, $2::int) as number where id = $1
"""


async def _execute(api: Running, query: str, *arguments: object) -> None:
    async with api.resources.database.system() as connection:
        await connection.execute(query, *arguments)


async def _entry(api: Running, client: httpx.AsyncClient, archive: UUID, path: str) -> UUID:
    entry = UUID((await uploaded(client, path.encode()))["id"])
    await _execute(api, _ENTER, entry, archive, path)
    return entry


async def _uploaded(client: httpx.AsyncClient, name: str) -> UUID:
    return UUID((await uploaded(client, name.encode(), name))["id"])


async def _parts(api: Running, tenant: Tenant, extraction: str) -> list[UUID]:
    async with api.resources.database.tenant(Scope(tenant.id)) as session:
        parts = await parts_without_archives(session, UUID(extraction))
        found = await extractions.find(session, UUID(extraction))
        assert found is not None
        assert found.documents == [part.id for part in parts]
        assert found.document_count == len(parts)
        return [part.id for part in parts]


async def test_entries_take_the_place_of_their_archive_in_natural_order_at_any_depth(
    api: Running, acme: Tenant
) -> None:
    client = await api.admin(acme)
    before, archive, after = [await _uploaded(client, name) for name in ("before", "archive", "after")]
    tenth = await _entry(api, client, archive, "scans/page 10.txt")
    second = await _entry(api, client, archive, "scans/page 2.txt")
    nested = await _entry(api, client, archive, "scans/page 3.zip")
    inner = await _entry(api, client, nested, "inner.txt")
    extraction = await begun(client, str(before), str(archive), str(after), schema=TOTAL)
    assert await _parts(api, acme, extraction["id"]) == [before, archive, after]

    await _execute(api, _UNPACK, archive)
    assert await _parts(api, acme, extraction["id"]) == [before, second, nested, tenth, after]

    await _execute(api, _UNPACK, nested)
    assert await _parts(api, acme, extraction["id"]) == [before, second, inner, tenth, after]
    assert await _parts(api, acme, extraction["id"]) == [before, second, inner, tenth, after]


async def test_an_archive_without_entries_stays_and_is_missing(api: Running, acme: Tenant) -> None:
    client = await api.admin(acme)
    archive = await _uploaded(client, "archive")
    await _execute(api, _UNPACK, archive)
    extraction = await begun(client, str(archive), schema=TOTAL)
    assert await _parts(api, acme, extraction["id"]) == [archive]


async def test_an_extraction_with_too_many_entries_is_refused(api: Running, acme: Tenant) -> None:
    client = await api.admin(acme)
    archive = await _uploaded(client, "archive")
    await _execute(api, _UNPACK, archive)
    await _execute(api, _MANY, archive, MAX_DOCUMENTS + 1)
    extraction = await begun(client, str(archive), schema=TOTAL)
    with pytest.raises(TooManyDocuments):
        await _parts(api, acme, extraction["id"])
