"""Which engines there are, and why one cannot be used."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from docsieve.db.tenants import Tenant
from docsieve.engines.registry import engine_names
from docsieve.remote import azure_document_intelligence
from tests.api.running import Running, running

NO_MODEL = "No language model is set up on this server."
MODEL = {"llm": "compatible:small", "llm_url": "http://127.0.0.1:1/v1"}
AZURE = {"azure_endpoint": "https://ours.cognitiveservices.azure.com", "azure_key": "k"}


async def _engines(client: httpx.AsyncClient) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in (await client.get("/engines")).raise_for_status().json()}


def _why_not(engines: dict[str, dict[str, Any]]) -> dict[str, str | None]:
    assert all(each["available"] is (each["why_not"] is None) for each in engines.values())
    return {name: each["why_not"] for name, each in engines.items()}


async def test_all_engines_are_listed_the_local_one_first_and_in_words(client: httpx.AsyncClient) -> None:
    engines = await _engines(client)
    assert sorted(engines) == engine_names()
    assert next(iter(engines)) == "local"
    assert all(each["title"] and each["description"] for each in engines.values())
    assert {name for name, each in engines.items() if not each["remote"]}.isdisjoint(
        {"llm", "cascade", "azure-document-intelligence"}
    )
    assert engines["local"]["remote"] is False


async def test_what_is_not_configured_says_so(client: httpx.AsyncClient) -> None:
    reasons = _why_not(await _engines(client))
    assert reasons["local"] is None
    assert (reasons["llm"], reasons["cascade"]) == (NO_MODEL, NO_MODEL)
    assert "not set up" in str(reasons["azure-document-intelligence"])


async def test_what_is_configured_can_be_used(database_url: str, tmp_path: Path) -> None:
    async with running(database_url, tmp_path, **MODEL, **AZURE) as api:
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
    async with running(database_url, tmp_path, llm_url=MODEL["llm_url"]) as api:
        acme = await api.tenant("acme")
        admin = await api.admin(acme)
        other = await api.admin(acme, project_id=await api.project(acme, "other"))
        await api.project(acme, "side")
        await admin.patch("/projects/side", json={"model": "anthropic:claude"})
        assert _why_not(await _engines(admin))["llm"] == "anthropic needs a key: set DOCSIEVE_ANTHROPIC_KEY."
        await admin.patch("/projects/side", json={"model": "compatible:small"})
        assert _why_not(await _engines(admin))["llm"] is None
        assert _why_not(await _engines(other))["llm"] == NO_MODEL
        stranger = await api.admin(await api.tenant("stranger"))
        assert _why_not(await _engines(stranger))["llm"] == NO_MODEL


async def test_a_reader_may_look(api: Running, acme: Tenant) -> None:
    assert (await _engines(await api.client(await api.key(acme, "read"))))["local"]["available"] is True
