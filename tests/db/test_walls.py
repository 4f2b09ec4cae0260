"""Row-level security behind the predicates: what a query without any of them can see and touch."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from docsieve.db.access import projects
from docsieve.db.connection.session import Database
from docsieve.db.documents import archives, early_pages, packets
from docsieve.db.documents import rows as documents
from docsieve.db.documents.archives import EntryRow
from docsieve.db.providers import spending
from docsieve.db.providers.spending import Budgets
from docsieve.domain.extraction import Usage
from docsieve.domain.ids import new_id
from docsieve.domain.packets import Cut
from docsieve.domain.pages.chunks import Chunk
from docsieve.domain.scope import Scope
from docsieve.errors.retention import LegalHold
from docsieve.providers.metered import Response
from docsieve.services.index import chunk_index
from docsieve.services.providers.ledger import ProviderLedger
from tests.api.extracting import record_all
from tests.api.running import Running, uploaded

OURS, THEIRS = "ours", "theirs"

_TABLES = """
select relname, relrowsecurity, relforcerowsecurity from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'alembic_version'
"""


def _owner(table: str) -> str:
    return "id" if table == "tenants" else "tenant_id"


# which embedders, providers, schedules and queues there are is the same for all; who is signed in, and the keys that
# encrypt blobs, requests cannot ask for
_OF_ALL = frozenset(
    {
        *("embedders", "provider_limits", "provider_leases", "sessions", "sign_in_links", "schedules"),
        *("tenant_deletions", "queue_heads", "data_keys"),
    }
)


async def _tables(api: Running) -> list[str]:
    """Those that hold what belongs to a tenant."""
    async with api.resources.database.system() as connection:
        return [row["relname"] for row in await connection.fetch(_TABLES) if row["relname"] not in _OF_ALL]


async def _fill(api: Running, name: str) -> Scope:
    """Something of this tenant in every table."""
    tenant = await api.tenant(name)
    client = await api.admin(tenant)
    document = await uploaded(client, key="repeatable")
    await client.post("/classes", json={"name": "permit", "description": "what an authority allows"})
    schema = {"type": "object", "properties": {"total": {"type": "number"}}}
    await client.post("/schemas", json={"name": "bill", "schema": schema})
    await client.post("/prompts", json={"name": "exact", "template": "Be exact."})
    batch = await client.post("/batches", json={"name": "all", "schema": "bill"})
    await client.post(f"/batches/{batch.json()['id']}/documents", json={"document_ids": [document["id"]]})
    assert (await client.post(f"/batches/{batch.json()['id']}/start")).status_code == 200
    await _make_findable_and_extract(api, Scope(tenant.id), UUID(document["id"]))
    await _cut(api, Scope(tenant.id), UUID(document["id"]))
    await _unpack(api, Scope(tenant.id), UUID(document["id"]))
    await _attempt(api)
    await _read_partly(api, Scope(tenant.id), UUID(document["id"]))
    await _deliver(api, client, Scope(tenant.id))
    await _spend(api, Scope(tenant.id))
    held = await client.post("/holds", json={"document_id": document["id"], "reason": "a case"})
    assert held.status_code == 201, held.text
    upload = await client.post("/uploads", json={"filename": "a.txt", "size": 6})
    assert upload.status_code == 201, upload.text
    return Scope(tenant.id)


async def _cut(api: Running, scope: Scope, document_id: UUID) -> None:
    async with api.resources.database.tenant(scope) as session:
        packet = await packets.find(session, document_id)
        assert packet is not None
        await packets.save(session, packet, [Cut(1, 0.5)], [])


async def _unpack(api: Running, scope: Scope, document_id: UUID) -> None:
    async with api.resources.database.tenant(scope) as session:
        await archives.begin(session, document_id)
        entry = EntryRow(1, "a.txt", "skipped", "litter", None, None)
        await archives.record_entries(session, document_id, [entry], unpacked_bytes=1, incomplete=None)


async def _read_partly(api: Running, scope: Scope, document_id: UUID) -> None:
    async with api.resources.database.tenant(scope) as session:
        owners = await documents.projects_of(session, [document_id])
        await early_pages.add(session, document_id, owners[document_id], [b"page"], first=1)


async def _deliver(api: Running, client: httpx.AsyncClient, scope: Scope) -> None:
    endpoint = (await client.post("/webhooks/endpoints", json={"url": "https://example.com/hook"})).json()["id"]
    await client.post(f"/webhooks/endpoints/{endpoint}/test")
    async with api.resources.database.tenant(scope) as session:
        await session.connection.execute(
            """
            insert into webhook_attempts (delivery_id, number, tenant_id, started_at, duration_ms)
            select id, 1, tenant_id, now(), 1 from webhook_deliveries where tenant_id = $1
            """,
            scope.tenant_id,
        )


async def _attempt(api: Running) -> None:
    """Some jobs are retried, and the last one ends."""
    *retried, last = await api.claim(limit=9)
    for job in retried:
        await api.fail(job, retry_in=0)
    await api.fail(last, retry_in=None)


async def _spend(api: Running, scope: Scope) -> None:
    database = api.resources.database
    async with database.tenant(scope) as session:
        project = await projects.find(session.connection, scope.tenant_id, "default")
        assert project is not None
        await spending.reserve(session, new_id(), project.id, Decimal("0.01"), Budgets(None, None), seconds=60)
        await spending.notice_exceeded(session, project.id)
    ledger = ProviderLedger(database, scope.tenant_id, project.id, new_id(), [new_id()])
    await ledger.settle("openai:m", None, b"k", Response(b"b", Usage(calls=1, cost=0.01)))


async def _make_findable_and_extract(api: Running, scope: Scope, document_id: UUID) -> None:
    resources = api.resources
    chunks = [Chunk(0, "A word that can be found", 1)]
    async with resources.database.tenant(scope) as session:
        source = await documents.source(session, document_id)
    assert source is not None
    prepared = await chunk_index.prepare(
        resources.database,
        resources.embedders,
        scope.tenant_id,
        chunks,
        language=None,
        project_id=source.project_id,
    )
    async with resources.database.tenant(scope) as session:
        await prepared.record(session, document_id, source.project_id)
    await record_all(api, scope, document_id, source.project_id)


async def _row(api: Running, table: str, tenant_id: UUID) -> str:
    """One of the tenant's rows as JSON; a table that has none shows that `_fill` must learn about it."""
    async with api.resources.database.system() as connection:
        row: str | None = await connection.fetchval(
            f"select to_jsonb(t) from {table} t where {_owner(table)} = $1 limit 1", tenant_id
        )
    assert row is not None, f"the test puts nothing into {table}"
    return row


async def _columns(api: Running, table: str) -> str:
    """Those that one can write."""
    async with api.resources.database.system() as connection:
        columns: str = await connection.fetchval(
            """
            select string_agg(quote_ident(attname), ', ') from pg_attribute
            where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''
            """,
            table,
        )
    return columns


async def _touched(database: Database, scope: Scope, statement: str, *arguments: Any) -> int:
    """How many rows a statement changes for a tenant; none where it is refused."""
    try:
        async with database.tenant(scope) as session:
            status: str = await session.connection.execute(statement, *arguments)
            return int(status.split()[-1])
    except (asyncpg.InsufficientPrivilegeError, asyncpg.ForeignKeyViolationError, LegalHold):
        return 0


async def test_every_table_has_a_wall_that_its_owner_cannot_step_over(api: Running) -> None:
    async with api.resources.database.system() as connection:
        tables = await connection.fetch(_TABLES)
        named = await connection.fetch(
            "select relname from pg_attribute join pg_class on pg_class.oid = attrelid"
            " where attname = 'tenant_id' and relkind in ('r', 'p')"
        )
    assert {row[0] for row in named} <= {row["relname"] for row in tables}
    assert [tuple(row) for row in tables if not (row["relrowsecurity"] and row["relforcerowsecurity"])] == []


async def test_the_role_of_requests_has_no_way_around_the_walls(api: Running) -> None:
    async with api.resources.database.system() as connection:
        role = await connection.fetchrow("select * from pg_roles where rolname = 'docsieve_app'")
        member = await connection.fetchval("select pg_has_role('docsieve_app', 'docsieve_system', 'member')")
        owned = await connection.fetchval("select count(*) from pg_class where relowner = 'docsieve_app'::regrole")
    assert role is not None
    for power in ("rolsuper", "rolbypassrls", "rolcreaterole", "rolcreatedb", "rolcanlogin", "rolreplication"):
        assert role[power] is False, power
    assert (member, owned) == (False, 0)


async def test_a_query_without_predicates_sees_one_tenant(api: Running) -> None:
    ours, theirs = await _fill(api, OURS), await _fill(api, THEIRS)
    for table in await _tables(api):
        await _row(api, table, theirs.tenant_id)
        async with api.resources.database.tenant(ours) as session:
            seen = {row[0] for row in await session.connection.fetch(f"select {_owner(table)} from {table}")}
        assert seen == {ours.tenant_id}, table


async def test_without_a_tenant_the_role_of_requests_sees_nothing(api: Running) -> None:
    await _fill(api, OURS)
    for table in await _tables(api):
        async with api.resources.database.system() as connection, connection.transaction():
            await connection.execute("set local role docsieve_app")
            assert await connection.fetchval(f"select count(*) from {table}") == 0, table


async def test_no_row_can_be_put_into_another_tenant(api: Running) -> None:
    ours, theirs = await _fill(api, OURS), await _fill(api, THEIRS)
    for table in await _tables(api):
        row, columns = await _row(api, table, theirs.tenant_id), await _columns(api, table)
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with api.resources.database.tenant(ours) as session:
                await session.connection.execute(
                    f"insert into {table} ({columns})"
                    f" select {columns} from jsonb_populate_record(null::{table}, $1::jsonb)",
                    row,
                )
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with api.resources.database.tenant(ours) as session:
                await session.connection.execute(f"update {table} set {_owner(table)} = $1", theirs.tenant_id)


async def test_no_row_of_another_tenant_can_be_changed_or_deleted(api: Running) -> None:
    ours, theirs = await _fill(api, OURS), await _fill(api, THEIRS)
    database = api.resources.database
    for table in await _tables(api):
        owner, before = _owner(table), await _row(api, table, theirs.tenant_id)
        for statement in (f"update {table} set {owner} = {owner}", f"delete from {table}"):
            assert await _touched(database, ours, f"{statement} where {owner} = $1", theirs.tenant_id) == 0, table
        await _touched(database, ours, f"delete from {table}")
        assert await _row(api, table, theirs.tenant_id) == before, table


async def test_a_query_without_predicates_sees_one_project(api: Running) -> None:
    tenant = await api.tenant(OURS)
    side = await api.project(tenant, "side")
    await api.key(tenant, "read", project_id=side)
    whole = await api.admin(tenant)
    for project in ("default", "side"):
        await uploaded(whole, project.encode(), project=project)
    for table, column in (
        ("projects", "id"),
        ("documents", "project_id"),
        ("jobs", "project_id"),
        ("api_keys", "project_id"),
    ):
        async with api.resources.database.tenant(Scope(tenant.id, side)) as session:
            seen = [row[0] for row in await session.connection.fetch(f"select {column} from {table}")]
        assert seen == [side], table


async def test_no_row_can_leave_its_project(api: Running) -> None:
    tenant = await api.tenant(OURS)
    side = await api.project(tenant, "side")
    document = await uploaded(await api.admin(tenant), project="default")
    limited = Scope(tenant.id, side)
    inside = await uploaded(await api.admin(tenant, project_id=side))
    async with api.resources.database.system() as connection:
        default = await connection.fetchval(
            "select id from projects where tenant_id = $1 and name = 'default'", tenant.id
        )
    database = api.resources.database
    assert await _touched(database, limited, "delete from documents where id = $1", UUID(document["id"])) == 0
    assert await _touched(database, limited, "update documents set size = 1 where id = $1", UUID(inside["id"])) == 1
    for table in ("documents", "jobs", "api_keys"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.tenant(limited) as session:
                await session.connection.execute(f"update {table} set project_id = $1", default)


async def test_the_scope_ends_with_its_transaction(api: Running) -> None:
    ours = await _fill(api, OURS)
    async with api.resources.database.tenant(ours) as session:
        assert await session.connection.fetchval("select current_user::text") == "docsieve_app"
    async with api.resources.database.system() as connection:
        left = await connection.fetchval("select current_setting('docsieve.tenant_id', true)")
        assert await connection.fetchval("select current_user::text") != "docsieve_app"
    assert not left


async def test_functions_that_look_across_tenants_return_only_a_number(api: Running) -> None:
    ours, theirs = await _fill(api, OURS), await _fill(api, THEIRS)
    pending = "select id from jobs where tenant_id = $1 and queue = 'default' and status = 'pending' limit 1"
    async with api.resources.database.system() as connection:
        job_id = await connection.fetchval(pending, theirs.tenant_id)
    async with api.resources.database.tenant(ours) as session:
        position = await session.connection.fetchval("select queue_position($1, 1000)", job_id)
    assert position in range(1, 9)
