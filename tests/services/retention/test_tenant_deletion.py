"""A tenant is deleted whole, whatever happens meanwhile, and its certificate stays."""

import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve import faults
from docsieve.blobs.local import LocalBlobStore
from docsieve.blobs.port import BlobInfo
from docsieve.db.access.tenants import Tenant
from docsieve.db.queue import jobs as queue_sql
from docsieve.db.retention import tenant_deletions
from docsieve.domain.documents import original_key
from docsieve.domain.scope import Scope
from docsieve.errors import Unavailable
from docsieve.errors.blobs import EncryptionKeyDeleted
from docsieve.resources import Resources
from docsieve.services.retention import tenant_deletion
from docsieve.services.retention.tenant_deletion import certificate_hash
from tests.api.extracting import completed
from tests.api.running import WORKER, Running, assert_problem, running, uploaded


@pytest.fixture
async def operator(api: Running) -> httpx.AsyncClient:
    return await api.admin(await api.tenant("default"))


@pytest.fixture
async def full(api: Running, operator: httpx.AsyncClient, acme: Tenant, client: httpx.AsyncClient) -> Tenant:
    """A tenant with something of most kinds."""
    extraction = await completed(api, client)
    await client.patch(f"/extractions/{extraction['id']}/fields", json={"fields": [{"path": "count", "value": 3}]})
    await client.post("/schemas", json={"name": "bill", "schema": {"type": "object", "properties": {}}})
    batch = (await client.post("/batches", json={"name": "all", "schema": "invoice"})).json()
    await client.post(f"/batches/{batch['id']}/documents", json={"document_ids": extraction["documents"]})
    await client.post(f"/batches/{batch['id']}/start")
    await uploaded(client, b"pending")
    return acme


async def _left(api: Running, tenant: Tenant) -> dict[str, int]:
    async with api.resources.database.system() as connection:
        tables = await tenant_deletions.tables(connection)
        counts = await tenant_deletions.count_rows(connection, tables, tenant.id)
        counts["tenants"] = await connection.fetchval("select count(*) from tenants where id = $1", tenant.id)
    return {table: count for table, count in counts.items() if count}


async def _request(operator: httpx.AsyncClient, name: str = "acme") -> dict[str, Any]:
    response = await operator.delete(f"/tenants/{name}")
    assert response.status_code == 202, response.text
    deletion: dict[str, Any] = response.json()
    return deletion


async def _deletion(operator: httpx.AsyncClient, deletion_id: str) -> dict[str, Any]:
    deletion: dict[str, Any] = (await operator.get(f"/tenant-deletions/{deletion_id}")).json()
    return deletion


async def test_everything_of_the_tenant_is_deleted_and_nothing_of_others(
    api: Running, operator: httpx.AsyncClient, full: Tenant
) -> None:
    other = await api.admin(await api.tenant("other"))
    kept = await uploaded(other, b"kept")
    before = await _left(api, full)
    deletion = await _request(operator)
    await tenant_deletion.run(api.resources, UUID(deletion["id"]))
    assert await _left(api, full) == {}
    assert [key.rpartition("/")[2] for key in await api.blobs()] == [kept["id"]]
    certificate = (await _deletion(operator, deletion["id"]))["certificate"]
    assert {table: count for table, count in certificate["rows"].items() if count} == {
        table: count for table, count in before.items() if table != "tenants"
    }
    assert certificate["objects"] == 3
    assert_problem(await operator.get("/tenants/acme"), 404, "not_found")


async def test_the_certificate_says_what_who_and_when_and_can_be_checked(
    api: Running, operator: httpx.AsyncClient, full: Tenant, client: httpx.AsyncClient
) -> None:
    head = (await client.get("/audit")).json()["head"]
    deletion = await _request(operator)
    await tenant_deletion.run(api.resources, UUID(deletion["id"]))
    certificate = (await _deletion(operator, deletion["id"]))["certificate"]
    assert certificate["tenant"] == {"id": str(full.id), "name": "acme"}
    assert certificate["requested_by"]["kind"] == "key"
    assert certificate["audit_log"] == {"entries": head["entries"], "head": head["hash"]}
    assert certificate["period"]["from"] < certificate["requested_at"] < certificate["completed_at"]
    assert certificate_hash(certificate) == certificate["hash"]
    assert certificate_hash({**certificate, "objects": 0}) != certificate["hash"]
    done, requested = (await operator.get("/audit", params={"object_id": str(full.id)})).json()["entries"]
    assert (requested["action"], requested["actor"]["kind"]) == ("tenant.deletion_requested", "key")
    assert (done["action"], done["details"]["certificate_hash"]) == ("tenant.deleted", certificate["hash"])


async def test_keys_stop_working_with_the_request(
    api: Running, operator: httpx.AsyncClient, full: Tenant, client: httpx.AsyncClient
) -> None:
    await _request(operator)
    assert_problem(await client.get("/documents"), 401, "unauthorized")
    answer = await operator.post("/tenants/acme/keys", json={"name": "new", "scopes": ["admin"]})
    assert_problem(answer, 409, "tenant_deleted")
    assert (await operator.get("/tenants/acme")).json()["deleted_at"] is not None


async def test_the_operators_tenant_cannot_be_deleted(operator: httpx.AsyncClient) -> None:
    assert_problem(await operator.delete("/tenants/default"), 409, "operator_tenant")


async def test_a_tenant_with_a_legal_hold_cannot_be_deleted(
    operator: httpx.AsyncClient, full: Tenant, client: httpx.AsyncClient
) -> None:
    hold = await client.post("/holds", json={"project": "default", "reason": "case 7"})
    assert_problem(await operator.delete("/tenants/acme"), 409, "legal_hold")
    assert (await client.get("/documents")).status_code == 200
    await client.delete(f"/holds/{hold.json()['id']}")
    await _request(operator)


class _Killed(BaseException):
    """Not an Exception, so that nothing on the way can handle it."""


@contextmanager
def _killed_at(step: str, occurrence: int) -> Iterator[None]:
    seen = 0

    def observe(name: str, subject: str) -> None:
        nonlocal seen
        seen += name == step
        if name == step and seen == occurrence:
            raise _Killed

    with faults.observed(observe):
        yield


@pytest.mark.parametrize(
    ("step", "occurrence"),
    [
        ("tenant.slice_deleted", 1),
        ("tenant.slice_deleted", 12),
        ("tenant.slice_deleted", 30),
        ("tenant.blobs_deleted", 2),
    ],
)
async def test_a_deletion_that_was_killed_continues_where_it_was(
    api: Running, operator: httpx.AsyncClient, full: Tenant, step: str, occurrence: int
) -> None:
    before = await _left(api, full)
    deletion = UUID((await _request(operator))["id"])
    with pytest.raises(_Killed), _killed_at(step, occurrence):
        await tenant_deletion.run(api.resources, deletion)
    assert (await _deletion(operator, str(deletion)))["certificate"] is None
    await tenant_deletion.run(api.resources, deletion)
    assert await _left(api, full) == {}
    certificate = (await _deletion(operator, str(deletion)))["certificate"]
    assert certificate["rows"]["documents"] == before["documents"]
    assert certificate["objects"] == 3


async def test_there_is_no_certificate_while_something_is_left(
    api: Running, operator: httpx.AsyncClient, full: Tenant
) -> None:
    deletion = UUID((await _request(operator))["id"])
    blobs = _LateStore(api.resources, full)
    with pytest.raises(Unavailable):
        await tenant_deletion.run(replace(api.resources, blobs=blobs), deletion)
    assert (await _deletion(operator, str(deletion)))["certificate"] is None
    await tenant_deletion.run(api.resources, deletion)
    assert await _left(api, full) == {}


class _LateStore(LocalBlobStore):
    """While its blobs are listed, someone else adds a row to the tenant."""

    def __init__(self, resources: Resources, tenant: Tenant) -> None:
        super().__init__(resources.settings.data_dir / "blobs")
        self._database, self._tenant = resources.database, tenant

    async def list(self, prefix: str = "") -> AsyncGenerator[BlobInfo, None]:
        async with self._database.tenant(Scope(self._tenant.id)) as session:
            await session.connection.execute(
                "insert into spellings (tenant_id, word, term) values ($1, 'late', 1)", self._tenant.id
            )
        async for blob in super().list(prefix):
            yield blob


async def test_a_request_queues_one_job(api: Running, operator: httpx.AsyncClient, full: Tenant) -> None:
    first, second = await _request(operator), await _request(operator)
    assert first["id"] == second["id"]
    async with api.resources.database.system() as connection:
        jobs = await queue_sql.claim(connection, "maintenance", limit=9, worker_id=WORKER, lease_seconds=30)
    assert [json.loads(job.args) for job in jobs] == [{"deletion_id": first["id"]}]


async def test_certificates_are_listed_and_only_for_the_operator(
    api: Running, operator: httpx.AsyncClient, full: Tenant
) -> None:
    deletion = await _request(operator)
    await tenant_deletion.run(api.resources, UUID(deletion["id"]))
    assert [each["id"] for each in (await operator.get("/tenant-deletions")).json()["deletions"]] == [deletion["id"]]
    other = await api.admin(await api.tenant("other"))
    assert_problem(await other.get(f"/tenant-deletions/{deletion['id']}"), 403, "forbidden")


async def test_what_is_left_of_a_tenants_files_cannot_be_decrypted_once_its_deletion_is_requested(
    database_url: str, tmp_path: Path
) -> None:
    """Files that come back from a backup of the store, with the database and the master key at hand."""
    (tmp_path / "master.key").write_bytes(bytes(range(32)))
    master_key = f"file:{tmp_path}/master.key"
    async with (
        running(database_url, tmp_path, master_key=master_key) as api,
        running(database_url, tmp_path, master_key=master_key) as elsewhere,
    ):
        operator, acme = await api.admin(await api.tenant("default")), await api.tenant("acme")
        client = await api.admin(acme)
        document = await uploaded(client, b"top secret")
        key = original_key(acme.id, UUID(document["id"]))
        await api.resources.keyring.rotate(acme.id)
        await uploaded(client, b"with the next key")
        backup = _raw(tmp_path, key)
        assert await elsewhere.resources.blobs.get(key) == b"top secret"

        deletion = await _request(operator)

        assert api.resources.keyring.kept == frozenset()
        with pytest.raises(EncryptionKeyDeleted):
            await api.resources.blobs.get(key)
        await tenant_deletion.run(elsewhere.resources, UUID(deletion["id"]))
        assert elsewhere.resources.keyring.kept == frozenset()
        certificate = (await _deletion(operator, deletion["id"]))["certificate"]
        assert certificate["data_keys"]["deleted"] == 2
        assert certificate["period"]["from"] < certificate["data_keys"]["deleted_at"] < certificate["completed_at"]
        assert certificate_hash(certificate) == certificate["hash"]

        (tmp_path / "blobs" / key).write_bytes(backup)
        for each in (api, elsewhere):
            with pytest.raises(EncryptionKeyDeleted):
                await each.resources.blobs.get(key)


def _raw(data_dir: Path, key: str) -> bytes:
    content = (data_dir / "blobs" / key).read_bytes()
    assert b"top secret" not in content
    return content


async def test_a_legal_hold_keeps_the_keys(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "master.key").write_bytes(bytes(range(32)))
    async with running(database_url, tmp_path, master_key=f"file:{tmp_path}/master.key") as api:
        operator, client = await api.admin(await api.tenant("default")), await api.admin(await api.tenant("acme"))
        document = await uploaded(client, b"evidence")
        await client.post("/holds", json={"project": "default", "reason": "case 7"})
        assert_problem(await operator.delete("/tenants/acme"), 409, "legal_hold")
        assert (await client.get(f"/documents/{document['id']}/file")).content == b"evidence"
