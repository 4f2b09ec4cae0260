"""Which engines there are, and why one cannot be used."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.pipelines.engines.registry import engines as known_engines
from docsieve.remote.azure import client as azure_document_intelligence
from tests.api.running import Running, assert_problem, running, upload, uploaded

NO_MODEL = "No language model is set up on this server."
MODEL: dict[str, Any] = {"llm": "compatible:small", "provider_urls": {"compatible": "http://127.0.0.1:1/v1"}}
AZURE: dict[str, Any] = {
    "provider_urls": {"azure-document-intelligence": "https://ours.cognitiveservices.azure.com"},
    "provider_keys": {"azure-document-intelligence": "k"},
}


async def _engines(client: httpx.AsyncClient) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in (await client.get("/engines")).raise_for_status().json()["engines"]}


def _why_not(engines: dict[str, dict[str, Any]]) -> dict[str, str | None]:
    assert all(each["available"] is (each["why_not"] is None) for each in engines.values())
    return {name: each["why_not"] for name, each in engines.items()}


async def test_all_engines_are_listed_the_local_one_first_and_in_words(client: httpx.AsyncClient) -> None:
    engines = await _engines(client)
    assert list(engines) == list(known_engines())
    assert next(iter(engines)) == "local"
    assert all(each["title"] and each["description"] for each in engines.values())
    assert {name for name, each in engines.items() if not each["remote"]}.isdisjoint(
        {"llm", "cascade", "azure-document-intelligence"}
    )
    assert engines["local"]["remote"] is False


async def test_an_engine_that_is_not_configured_says_so(client: httpx.AsyncClient) -> None:
    reasons = _why_not(await _engines(client))
    assert reasons["local"] is None
    assert (reasons["llm"], reasons["cascade"]) == (NO_MODEL, NO_MODEL)
    assert "not set up" in str(reasons["azure-document-intelligence"])


async def test_a_configured_engine_is_available(database_url: str, tmp_path: Path) -> None:
    urls = {**MODEL["provider_urls"], **AZURE["provider_urls"]}
    async with running(database_url, tmp_path, **{**MODEL, **AZURE, "provider_urls": urls}) as api:
        client = await api.admin(await api.tenant("acme"))
        assert set(_why_not(await _engines(client)).values()) == {None}


async def test_azure_without_its_library_cannot_be_used(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(azure_document_intelligence, "find_spec", lambda name: None)
    async with running(database_url, tmp_path, **AZURE) as api:
        client = await api.admin(await api.tenant("acme"))
        assert "docsieve[azure]" in str(_why_not(await _engines(client))["azure-document-intelligence"])


async def test_a_model_that_only_a_project_names_counts_where_that_project_is_in_sight(
    database_url: str, tmp_path: Path
) -> None:
    async with running(database_url, tmp_path, provider_urls=MODEL["provider_urls"]) as api:
        acme = await api.tenant("acme")
        admin = await api.admin(acme)
        other = await api.admin(acme, project_id=await api.project(acme, "other"))
        await api.project(acme, "side")
        await admin.patch("/projects/side", json={"model": "anthropic:claude"})
        assert (
            _why_not(await _engines(admin))["llm"]
            == "anthropic needs an API key. Set DOCSIEVE_PROVIDER_KEYS=anthropic=…."
        )
        await admin.patch("/projects/side", json={"model": "compatible:small"})
        assert _why_not(await _engines(admin))["llm"] is None
        assert _why_not(await _engines(other))["llm"] == NO_MODEL
        stranger = await api.admin(await api.tenant("stranger"))
        assert _why_not(await _engines(stranger))["llm"] == NO_MODEL


async def test_a_reader_may_look(api: Running, acme: Tenant) -> None:
    assert (await _engines(await api.client(await api.key(acme, "read"))))["local"]["available"] is True


async def _naming(client: httpx.AsyncClient, document_id: str, engine: str, **more: str) -> dict[str, httpx.Response]:
    """The answers of every way to name an engine."""
    return {
        "upload": await upload(client, b"new", engine=engine),
        "extraction": await client.post(
            "/extractions", json={"document_ids": [document_id], "schema": "invoice", "engine": engine, **more}
        ),
        "reprocessing": await client.post(f"/documents/{document_id}/reprocess", json={"engine": engine}),
        "reprocessing of many": await client.post(
            "/documents/reprocess", json={"ids": [document_id], "engine": engine}
        ),
        "new project": await client.post("/projects", json={"name": "new", "engine": engine, **more}),
        "project": await client.patch("/projects/default", json={"engine": engine, **more}),
    }


async def _ready(api: Running, client: httpx.AsyncClient) -> str:
    document = await uploaded(client)
    [job] = await api.claim()
    await api.complete(job, "one page")
    return str(document["id"])


@pytest.mark.parametrize(
    ("engine", "code", "remedy"),
    [
        ("llm", "model_not_configured", "DOCSIEVE_LLM"),
        ("cascade", "model_not_configured", "DOCSIEVE_LLM. The API process lacks this"),
        ("azure-document-intelligence", "no_account", "DOCSIEVE_PROVIDER_KEYS=azure-document-intelligence="),
        ("nonsense", "unknown_engine", "local"),
    ],
)
async def test_an_engine_that_is_not_configured_is_refused_wherever_it_is_named(
    api: Running, client: httpx.AsyncClient, engine: str, code: str, remedy: str
) -> None:
    document_id = await _ready(api, client)
    for answer in (await _naming(client, document_id, engine)).values():
        assert remedy in assert_problem(answer, 422, code)["detail"]
    assert [await api.count(table) for table in ("documents", "extractions", "projects")] == [1, 0, 1]
    assert (await client.get("/projects/default")).json()["engine"] is None


async def test_a_configured_engine_is_taken_wherever_it_is_named(database_url: str, tmp_path: Path) -> None:
    async with running(database_url, tmp_path, **MODEL) as api:
        client = await api.admin(await api.tenant("acme"))
        for name, answer in (await _naming(client, await _ready(api, client), "llm")).items():
            assert answer.is_success, (name, answer.text)


async def test_the_model_of_the_request_or_the_project_counts(database_url: str, tmp_path: Path) -> None:
    async with running(database_url, tmp_path, provider_urls=MODEL["provider_urls"]) as api:
        client = await api.admin(await api.tenant("acme"))
        document_id = await _ready(api, client)
        order = {"document_ids": [document_id], "schema": "invoice", "engine": "llm"}
        assert_problem(await client.post("/extractions", json=order), 422, "model_not_configured")
        assert (await client.post("/extractions", json={**order, "model": "compatible:a"})).is_success
        refused = await client.post("/extractions", json={**order, "model": "anthropic:a"})
        assert "DOCSIEVE_PROVIDER_KEYS=anthropic=" in assert_problem(refused, 422, "model_not_configured")["detail"]
        refused = await client.post("/extractions", json={**order, "model": "oracle:a"})
        assert_problem(refused, 422, "unknown_model_provider")
        chosen = {"engine": "llm", "model": "compatible:a"}
        assert (await client.patch("/projects/default", json=chosen)).is_success
        assert (await upload(client, engine="llm")).is_success
        assert (await client.post("/extractions", json=order)).is_success
        refused = await client.patch("/projects/default", json={"model": None})
        assert_problem(refused, 422, "model_not_configured")


async def test_a_key_of_one_project_is_judged_by_that_projects_model(database_url: str, tmp_path: Path) -> None:
    async with running(database_url, tmp_path, provider_urls=MODEL["provider_urls"]) as api:
        acme = await api.tenant("acme")
        admin = await api.admin(acme)
        limited = await api.admin(acme, project_id=await api.project(acme, "side"))
        assert_problem(await upload(limited, engine="llm"), 422, "model_not_configured")
        await admin.patch("/projects/side", json={"model": "compatible:a"})
        assert (await upload(limited, engine="llm")).is_success
        assert_problem(await upload(admin, engine="llm"), 422, "model_not_configured")
        assert_problem(await upload(admin, engine="llm", project="nowhere"), 422, "unknown_project")
