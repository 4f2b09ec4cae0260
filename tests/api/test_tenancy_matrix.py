"""Every operation of the OpenAPI document against every way of not being allowed to use it."""

from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.ids import new_id
from tests.api.estate import Estate, estate_of, thing_for
from tests.api.extracting import TOTAL
from tests.api.operations import GUARDED, OPERATIONS, Noun, call
from tests.api.running import Running, assert_problem, running, uploaded

NOWHERE: dict[Noun, str] = {
    "document": str(new_id()),
    "job": str(new_id()),
    "key": "nosuchkey000",
    "project": "no-such-project",
    "class": "no-such-class",
    "tenant": "no-such-tenant",
    "schema": "no-such-schema",
    "prompt": "no-such-prompt",
    "extraction": str(new_id()),
    "report": str(new_id()),
    "desk": "no-such-tenant/projects/no-such-project",
    "batch": str(new_id()),
    "hold": str(new_id()),
    "deletion": str(new_id()),
    "endpoint": str(new_id()),
    "delivery": str(new_id()),
    "upload": str(new_id()),
}


def test_every_operation_of_the_openapi_document_is_in_the_matrix(api: Running) -> None:
    paths = api.app.openapi()["paths"]
    documented = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert documented == OPERATIONS.keys()


def test_every_guarded_operation_documents_its_key(api: Running) -> None:
    for name in GUARDED:
        method, path = name.split(" ", 1)
        assert api.app.openapi()["paths"][path][method.lower()]["security"], name


async def test_without_a_key_every_guarded_operation_is_401(api: Running) -> None:
    stranger = await api.client(prefix="")
    for name in GUARDED:
        problem = await call(stranger, name, thing_for(name, NOWHERE))
        assert_problem(problem, 401, "unauthorized")
        assert problem.headers["www-authenticate"] == "Bearer", name


async def test_wrong_revoked_and_expired_keys_are_401(api: Running) -> None:
    operator = await api.tenant("default")
    revoked = await api.key(operator, "admin")
    remover = await api.admin(operator)
    assert (await remover.delete(f"/keys/{revoked.split('_')[1]}")).status_code == 200
    expired = await api.key(operator, "admin", expires_at=datetime(2020, 1, 1, tzinfo=UTC))
    forged = (await api.key(operator, "admin"))[:-4] + "0000"
    for presented in (revoked, expired, forged, "ds_nosuchkey000_" + "0" * 48, "nonsense"):
        by_header = await api.client(presented, prefix="")
        by_bearer = await api.client(prefix="", Authorization=f"Bearer {presented}")
        for name in GUARDED:
            assert_problem(await call(by_header, name, thing_for(name, NOWHERE)), 401, "unauthorized")
        assert_problem(await call(by_bearer, "GET /api/v1/documents", ""), 401, "unauthorized")
    unreadable = await (await api.client()).get("/documents", headers={b"X-API-Key": "ключ".encode()})
    assert_problem(unreadable, 401, "unauthorized")


@pytest.mark.parametrize("header", [{}, {"Idempotency-Key": "again"}])
async def test_a_key_that_just_uploaded_uploads_nothing_once_revoked(
    api: Running, acme: Tenant, header: dict[str, str]
) -> None:
    key = await api.key(acme, "write")
    client = await api.client(key)
    assert (await client.post("/documents", files={"file": b"first"}, headers=header)).status_code == 200
    assert (await (await api.admin(acme)).delete(f"/keys/{key.split('_')[1]}")).status_code == 200
    stored = await api.blobs()

    assert_problem(await client.post("/documents", files={"file": b"second"}, headers=header), 401, "unauthorized")

    assert await api.blobs() == stored
    assert await api.count("documents") == 1


async def test_a_key_works_in_either_header(api: Running, acme: Tenant) -> None:
    key = await api.key(acme, "read")
    bearer = await api.client(Authorization=f"Bearer {key}")
    assert (await bearer.get("/documents")).status_code == 200
    assert (await (await api.client(key)).get("/documents")).status_code == 200


@pytest.mark.parametrize(
    ("held", "lacking"), [("read", {"write", "admin", "operator"}), ("write", {"admin", "operator"})]
)
async def test_a_key_without_the_scope_is_403(api: Running, held: str, lacking: set[str]) -> None:
    operator = await api.tenant("default")
    holder = await api.client(await api.key(operator, held), prefix="")
    for name, operation in GUARDED.items():
        answer = await call(holder, name, thing_for(name, NOWHERE))
        if operation.needs in lacking:
            assert_problem(answer, 403, "forbidden")
        else:
            assert answer.status_code not in (401, 403), name
        assert held != "read" or operation.needs == "read" or answer.status_code == 403, name


async def test_a_read_only_key_may_change_nothing(api: Running) -> None:
    reader = await api.client(await api.key(await api.tenant("default"), "read"), prefix="")
    for name in GUARDED:
        if not name.startswith("GET "):
            assert_problem(await call(reader, name, thing_for(name, NOWHERE)), 403, "forbidden")


async def test_tenants_are_managed_by_admins_of_the_whole_default_tenant_only(api: Running) -> None:
    operator = await api.tenant("default")
    limited = await api.key(operator, "admin", project_id=await api.project(operator, "side"))
    elsewhere = await api.key(await api.tenant("acme"), "admin")
    for key in (limited, elsewhere):
        admin = await api.client(key, prefix="")
        for name, operation in GUARDED.items():
            if operation.needs == "operator":
                existing, missing = await call(admin, name, "acme"), await call(admin, name, NOWHERE["tenant"])
                assert_problem(existing, 403, "forbidden")
                assert existing.content == missing.content, name


async def _assert_walled_off(api: Running, outsider_key: str, owner: Estate, *, limited: bool = False) -> None:
    """Each id of the owner answers the outsider exactly as an id that does not exist; then the owner still has it."""
    outsider = await api.client(outsider_key, prefix="")
    owning = await api.client(await api.key(owner.tenant, "admin"), prefix="")
    named = {name: each for name, each in GUARDED.items() if each.names and each.needs != "operator"}
    for name in named:
        foreign = await call(outsider, name, thing_for(name, owner.things))
        if limited and GUARDED[name].of_whole_tenant and GUARDED[name].needs == "read":
            assert foreign.status_code == 200, name
            continue
        missing = await call(outsider, name, thing_for(name, NOWHERE))
        kept_out = limited and GUARDED[name].of_whole_tenant
        assert_problem(foreign, *((403, "forbidden") if kept_out else (404, "not_found")))
        assert foreign.content == missing.content, name
    for name in named:
        assert (await call(owning, name, thing_for(name, owner.things))).status_code not in (401, 403, 404), name


@pytest.mark.usefixtures("walls")
async def test_another_tenants_things_are_404_like_things_that_do_not_exist(api: Running) -> None:
    victim, outsider = await estate_of(api, "victim"), await estate_of(api, "outsider")
    await _assert_walled_off(api, await api.key(outsider.tenant, "admin"), victim)


async def test_a_key_limited_to_another_project_finds_nothing_of_this_one(api: Running) -> None:
    victim = await estate_of(api, "victim")
    side = await api.project(victim.tenant, "side")
    await _assert_walled_off(api, await api.key(victim.tenant, "admin", project_id=side), victim, limited=True)


async def _assert_lists_are_empty(outsider: httpx.AsyncClient, owner: Estate) -> None:
    document_id, job_id = owner.things["document"], owner.things["job"]
    for query in ("", "?status=ready", f"?project={owner.things['project']}", "?name=a.txt"):
        assert (await outsider.get(f"/documents{query}")).json() == {"documents": [], "total": 0, "next_cursor": None}
    for query in (
        "",
        f"?document_id={document_id}",
        "?job_type=process_document",
        f"?project={owner.things['project']}",
    ):
        page = (await outsider.get(f"/jobs{query}")).json()
        assert page.pop("jobs") == []
        assert page.pop("next_cursor") is None
        assert set(page.values()) == {0}, query
    for query in ("", "?needs_review=true", f"?document_id={document_id}"):
        assert (await outsider.get(f"/extractions{query}")).json() == {"extractions": [], "next_cursor": None}
    for query in ("", "?needs_review=true", "?pattern=total", "?value=5.0"):
        page = (await outsider.get(f"/fields{query}")).json()
        assert page == {"fields": [], "left": 0, "documents_left": 0, "next_cursor": None}
    for noun in ("endpoints", "deliveries"):
        assert (await outsider.get(f"/webhooks/{noun}")).json() == {noun: [], "next_cursor": None}
    for query in ("", f"?project={owner.things['project']}"):
        assert (await outsider.get(f"/queues{query}")).json()["queues"] == []
    mine = await uploaded(outsider, b"mine")
    for ids in ([document_id], [mine["id"], document_id]):
        body = {"document_ids": ids, "schema": TOTAL}
        assert_problem(await outsider.post("/extractions", json=body), 404, "not_found")
    assert (await outsider.delete(f"/documents/{mine['id']}")).status_code == 204
    for action in ("cancel", "retry"):
        for selection in (
            {"document_id": document_id},
            {"queue": "default"},
            {"status": "pending"},
            {"ids": [job_id]},
            {"project": owner.things["project"]},
        ):
            assert (await outsider.post(f"/jobs/{action}", json=selection)).json() == {"count": 0}
    for action in ("cancel", "reprocess", "delete"):
        changed = (await outsider.post(f"/documents/{action}", json={"ids": [document_id]})).json()
        assert changed["count"] == 0
        assert [(each["id"], each["code"]) for each in changed["skipped"]] == [(document_id, "not_found")]
    for path in ("/projects", "/keys"):
        listed = (await outsider.get(path)).text
        assert owner.things["project"] not in listed
        assert owner.things["key"] not in listed
    assert (await owner.admin.get(f"/jobs/{job_id}")).json()["status"] in ("completed", "pending")


@pytest.mark.usefixtures("walls")
async def test_lists_counts_and_bulk_changes_stop_at_the_tenant(api: Running) -> None:
    victim = await estate_of(api, "victim")
    await uploaded(victim.admin, b"still pending", project="victim-project")
    outsider = await api.admin(await api.tenant("outsider"))
    await _assert_lists_are_empty(outsider, victim)
    assert (await victim.admin.get("/jobs?queue=default")).json()["pending_count"] == 1


async def test_lists_counts_and_bulk_changes_stop_at_the_project(api: Running) -> None:
    victim = await estate_of(api, "victim")
    await uploaded(victim.admin, b"still pending", project="victim-project")
    limited = await api.admin(victim.tenant, project_id=await api.project(victim.tenant, "side"))
    await _assert_lists_are_empty(limited, victim)
    assert (await victim.admin.get("/jobs?queue=default")).json()["pending_count"] == 1
    assert [each["name"] for each in (await limited.get("/projects")).json()["projects"]] == ["side"]


async def test_a_key_limited_to_a_project_cannot_widen_itself(api: Running) -> None:
    victim = await estate_of(api, "victim")
    limited = await api.admin(victim.tenant, project_id=await api.project(victim.tenant, "side"))
    assert_problem(await limited.post("/projects", json={"name": "mine"}), 403, "forbidden")
    wanted = {"name": "wide", "scopes": ["admin"]}
    assert (await limited.post("/keys", json=wanted)).json()["project"] == "side"
    refused = await limited.post("/keys", json={**wanted, "project": "victim-project"})
    assert_problem(refused, 422, "unknown_project")
    assert (await uploaded(limited, b"mine"))["project"] == "side"
    stray = await limited.post("/documents", files={"file": b"Hello."}, data={"project": "victim-project"})
    assert_problem(stray, 422, "unknown_project")


async def test_another_tenants_project_is_as_unknown_as_one_that_does_not_exist(api: Running) -> None:
    await estate_of(api, "victim")
    outsider = await api.admin(await api.tenant("outsider"))
    for project in ("victim-project", "no-such-project"):
        upload = await outsider.post("/documents", files={"file": b"Hello."}, data={"project": project})
        key = await outsider.post("/keys", json={"name": "k", "scopes": ["read"], "project": project})
        for answer in (upload, key):
            assert assert_problem(answer, 422, "unknown_project")["detail"] == f"Project {project} not found."


async def test_an_invalid_id_is_422(api: Running) -> None:
    admin = await api.client(await api.key(await api.tenant("default"), "admin"), prefix="")
    for name, operation in GUARDED.items():
        if operation.by_uuid:
            for nonsense in ("nonsense", "1", "%00", "00000000-0000-0000-0000-00000000000g"):
                assert_problem(await call(admin, name, nonsense), 422, "invalid_request")


async def test_a_header_that_names_another_tenant_is_403(api: Running) -> None:
    operator, other = await api.tenant("default"), await api.tenant("other")
    admin = await api.client(await api.key(operator, "admin"), prefix="")
    for header in ("Tenant-ID", "X-Organization-ID"):
        for name in GUARDED:
            for foreign in (other.name, str(other.id), "no-such-tenant", ""):
                answer = await call(admin, name, thing_for(name, NOWHERE), **{header: foreign})
                assert_problem(answer, 403, "forbidden")
            for own in (operator.name, str(operator.id)):
                if name.startswith("GET "):
                    assert (await call(admin, name, thing_for(name, NOWHERE), **{header: own})).status_code in (
                        200,
                        404,
                    )


async def test_operations_routes_are_public_by_default(api: Running) -> None:
    stranger = await api.client(prefix="")
    for path in ("/livez", "/readyz", "/metrics", "/docs", "/api/v1/openapi.json"):
        assert (await stranger.get(path)).status_code == 200, path


async def test_operations_routes_need_a_key_where_the_operator_says_so(database_url: str, tmp_path: Path) -> None:
    async with running(database_url, tmp_path, public_paths=frozenset()) as api:
        stranger = await api.client(prefix="")
        reader = await api.client(await api.key(await api.tenant("acme"), "read"), prefix="")
        for path in ("/livez", "/readyz", "/metrics"):
            assert_problem(await stranger.get(path), 401, "unauthorized")
            assert (await reader.get(path)).status_code == 200, path
        for path in ("/docs", "/docs/oauth2-redirect", "/api/v1/openapi.json"):
            assert_problem(await stranger.get(path), 404, "not_found")
