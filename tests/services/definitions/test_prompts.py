"""Prompts: templates in versions, as schemas are."""

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.prompts import MAX_TEMPLATE_LENGTH, check_template, filled
from docsieve.domain.scope import Scope
from docsieve.errors.extractions import PromptInvalid, UnknownPrompt
from docsieve.services.definitions import prompts
from tests.api.running import Running, assert_problem


def test_placeholders_are_filled_in_and_the_rest_stays_as_it_is() -> None:
    template = "Project {{project}}, {{ schema }}: {amounts} in {{language}}."
    check_template(template)
    values = {"project": "p {{schema}}", "schema": "invoice@3", "language": None}
    assert filled(template, values) == "Project p {{schema}}, invoice@3: {amounts} in unknown."


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        (" ", "The template is empty."),
        ("x" * (MAX_TEMPLATE_LENGTH + 1), "at most 20,000 are allowed"),
        ("{{text}}", "Unknown placeholder {{text}}. Known placeholders: {{project}}, {{schema}}"),
        ("{{}}", "Unknown placeholder {{}}"),
    ],
)
def test_what_could_never_be_filled_in_is_refused(template: str, reason: str) -> None:
    with pytest.raises(PromptInvalid) as refused:
        check_template(template)
    assert reason in refused.value.detail


async def test_a_prompt_has_versions_one_of_them_current(api: Running, acme: Tenant, client: httpx.AsyncClient) -> None:
    first = await client.post("/prompts", json={"name": "terse", "template": "Be terse.", "note": "n"})
    assert first.status_code == 201
    assert (first.json()["version"], first.json()["current"], first.json()["note"]) == (1, True, "n")
    second = (await client.post("/prompts", json={"name": "terse", "template": "Be very terse."})).json()
    again = (await client.post("/prompts", json={"name": "terse", "template": "Be very terse."})).json()
    assert (second["version"], again["version"]) == (2, 2)
    assert (await client.get("/prompts/terse")).json()["template"] == "Be very terse."
    assert (await client.get("/prompts/terse/versions/1")).json()["template"] == "Be terse."
    assert [each["version"] for each in (await client.get("/prompts/terse/versions")).json()["versions"]] == [2, 1]
    assert (await client.put("/prompts/terse/current", json={"version": 1})).json()["current"] is True
    assert [each["template"] for each in (await client.get("/prompts")).json()["prompts"]] == ["Be terse."]
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        assert await prompts.resolve(session, "terse") == ("terse", 1, "Be terse.")
        assert (await prompts.resolve(session, "terse@2")).content == "Be very terse."


async def test_a_deleted_prompt_is_gone_and_its_versions_stay_readable(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await client.post("/prompts", json={"name": "terse", "template": "Be terse."})
    assert (await client.delete("/prompts/terse")).status_code == 204
    assert_problem(await client.get("/prompts/terse"), 404, "not_found")
    assert (await client.get("/prompts")).json()["prompts"] == []
    assert (await client.get("/prompts/terse/versions/1")).json()["current"] is False
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        with pytest.raises(UnknownPrompt):
            await prompts.resolve(session, "terse")
        assert (await prompts.resolve(session, "terse@1")).content == "Be terse."


async def test_what_cannot_be_a_prompt_is_refused(client: httpx.AsyncClient) -> None:
    unknown = await client.post("/prompts", json={"name": "x", "template": "{{document}}"})
    assert_problem(unknown, 422, "prompt_invalid")
    for body in ({"name": "x", "template": ""}, {"name": "x", "template": "\x00"}, {"name": "x"}):
        assert_problem(await client.post("/prompts", json=body), 422, "invalid_request")
    assert_problem(await client.put("/prompts/x/current", json={"version": 0}), 404, "not_found")


@pytest.mark.usefixtures("walls")
async def test_another_tenant_s_prompts_are_neither_seen_nor_changed(api: Running, client: httpx.AsyncClient) -> None:
    other = await api.admin(await api.tenant("globex"))
    await client.post("/prompts", json={"name": "terse", "template": "Ours."})
    assert (await other.get("/prompts")).json()["prompts"] == []
    for path in ("/prompts/terse", "/prompts/terse/versions", "/prompts/terse/versions/1"):
        assert_problem(await other.get(path), 404, "not_found")
    assert_problem(await other.put("/prompts/terse/current", json={"version": 1}), 404, "not_found")
    assert_problem(await other.delete("/prompts/terse"), 404, "not_found")
    assert (await client.get("/prompts/terse")).json()["template"] == "Ours."
