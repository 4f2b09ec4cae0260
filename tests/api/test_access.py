"""Keys that were verified a moment ago are checked again by the transaction that reads for them."""

from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import rows as documents
from docsieve.domain.scope import Scope
from docsieve.errors import Unauthorized
from tests.api.running import Running, assert_problem, uploaded

READS = ("/documents", "/documents/{id}/status", "/documents/{id}/fields", "/documents/{id}/text", "/usage", "/engines")


@pytest.mark.parametrize("path", READS)
async def test_a_revoked_key_is_refused_at_once_although_it_was_used_a_moment_ago(
    api: Running, client: httpx.AsyncClient, acme: Tenant, path: str
) -> None:
    document_id = (await uploaded(client))["id"]
    key = await api.key(acme, "read")
    reader = await api.client(key)
    url = path.format(id=document_id)
    for _ in range(2):
        assert (await reader.get(url)).status_code != 401
    await client.delete(f"/keys/{key.split('_')[1]}")
    assert_problem(await reader.get(url), 401, "unauthorized")


async def test_a_key_that_expires_is_refused_at_once(api: Running, client: httpx.AsyncClient, acme: Tenant) -> None:
    document_id = (await uploaded(client))["id"]
    key = await api.key(acme, "read")
    reader = await api.client(key)
    assert (await reader.get(f"/documents/{document_id}/status")).status_code == 200
    async with api.resources.database.system() as connection:
        await connection.execute("update api_keys set expires_at = now() where id = $1", key.split("_")[1])
    assert_problem(await reader.get(f"/documents/{document_id}/status"), 401, "unauthorized")
    assert_problem(await reader.get("/documents"), 401, "unauthorized")


async def test_reads_with_a_revoked_key_leave_their_connection_usable(
    api: Running, client: httpx.AsyncClient, acme: Tenant
) -> None:
    key = await api.key(acme, "read")
    reader = await api.client(key)
    await reader.get("/documents")
    await client.delete(f"/keys/{key.split('_')[1]}")
    for _ in range(30):
        assert_problem(await reader.get("/documents"), 401, "unauthorized")
    assert (await client.get("/documents")).status_code == 200


async def test_a_status_is_hidden_from_other_tenants_other_projects_and_other_tenants_keys(
    api: Running, client: httpx.AsyncClient, acme: Tenant
) -> None:
    document_id = UUID((await uploaded(client))["id"])
    database, other = api.resources.database, await api.tenant("other")
    project_id = await api.project(acme, "second")
    theirs = (await api.key(other, "read")).split("_")[1]
    scopes = Scope(other.id), Scope(acme.id, project_id)
    for scope in scopes:
        assert await documents.status(database, scope, document_id, max_position=9, api_key=None) is None
    assert await documents.status(database, Scope(acme.id), document_id, max_position=9, api_key=None) is not None
    with pytest.raises(Unauthorized):
        await documents.status(database, Scope(acme.id), document_id, max_position=9, api_key=theirs)
