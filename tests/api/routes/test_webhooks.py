from typing import Any

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.services.webhooks import endpoints
from tests.api.running import Running, assert_problem, uploaded

URL = "https://example.com/hook"


async def created(client: httpx.AsyncClient, **settings: Any) -> dict[str, Any]:
    response = await client.post("/webhooks/endpoints", json={"url": URL, **settings})
    assert response.status_code == 201, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def test_the_secret_of_an_endpoint_is_shown_once_and_stored_encrypted(
    api: Running, client: httpx.AsyncClient
) -> None:
    endpoint = await created(client, description="ours", events=["document.ready"], payload="full")
    secret = str(endpoint.pop("secret"))
    assert secret.startswith("whsec_")
    assert (await client.get(f"/webhooks/endpoints/{endpoint['id']}")).json() == endpoint
    assert secret not in (await client.get("/webhooks/endpoints")).text
    async with api.resources.database.system() as connection:
        [stored] = await connection.fetch("select * from webhook_secrets")
    assert secret.encode() not in stored["sealed"]
    assert api.resources.sealer.unseal(stored["sealed"]) == secret


async def test_an_endpoint_can_be_changed(client: httpx.AsyncClient) -> None:
    endpoint = await created(client)
    path = f"/webhooks/endpoints/{endpoint['id']}"
    changes = {"url": "https://example.com/other", "events": ["batch.completed", "batch.completed"], "enabled": False}
    changed = (await client.patch(path, json=changes)).json()
    assert (changed["url"], changed["events"]) == ("https://example.com/other", ["batch.completed"])
    assert (changed["enabled"], changed["disabled_reason"]) == (False, None)
    assert changed["disabled_at"] is not None
    enabled = (await client.patch(path, json={"enabled": True})).json()
    assert (enabled["enabled"], enabled["disabled_at"]) == (True, None)
    assert (await client.patch(path, json={})).json()["url"] == "https://example.com/other"


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8000/", "http://[::1]/", "https://10.0.0.1/", "http://example.com:22/", "http://2130706433/"],
)
async def test_an_endpoint_that_must_not_be_called_is_refused(client: httpx.AsyncClient, url: str) -> None:
    response = await client.post("/webhooks/endpoints", json={"url": url})
    assert response.status_code == 422
    assert response.json()["code"] in ("address_not_allowed", "url_invalid")
    endpoint = await created(client)
    changed = await client.patch(f"/webhooks/endpoints/{endpoint['id']}", json={"url": url})
    assert changed.json()["code"] == response.json()["code"]


async def test_an_unknown_event_type_is_refused(client: httpx.AsyncClient) -> None:
    response = await client.post("/webhooks/endpoints", json={"url": URL, "events": ["document.gone"]})
    assert_problem(response, 422, "invalid_request")


async def test_there_is_a_limit_to_the_endpoints_of_a_tenant(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "MAX_ENDPOINTS", 2)
    await created(client)
    await created(client)
    assert_problem(await client.post("/webhooks/endpoints", json={"url": URL}), 409, "too_many_endpoints")


async def test_a_key_limited_to_a_project_has_endpoints_of_that_project_only(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    side = await api.project(acme, "side")
    limited = await api.admin(acme, project_id=side)
    of_tenant = await created(client)
    own = await created(limited)
    assert own["project"] == "side"
    listed = (await limited.get("/webhooks/endpoints")).json()["endpoints"]
    assert [each["id"] for each in listed] == [own["id"]]
    assert_problem(await limited.get(f"/webhooks/endpoints/{of_tenant['id']}"), 404, "not_found")
    assert (await limited.post(f"/webhooks/endpoints/{own['id']}/rotate")).status_code == 200
    assert (await limited.post(f"/webhooks/endpoints/{own['id']}/test")).status_code == 200
    assert_problem(await limited.post("/webhooks/secret/rotate"), 403, "forbidden")
    stray = await limited.post("/webhooks/endpoints", json={"url": URL, "project": "default"})
    assert_problem(stray, 422, "unknown_project")


async def test_deliveries_are_listed_newest_first_and_filtered(client: httpx.AsyncClient, api: Running) -> None:
    first, second = await created(client), await created(client, events=["document.ready"])
    document = await uploaded(client)
    [job] = await api.claim()
    await api.complete(job, "page one")
    await client.post(f"/webhooks/endpoints/{first['id']}/test")

    async def found(**wanted: str) -> list[str]:
        answer = (await client.get("/webhooks/deliveries", params=wanted)).json()
        return [each["event_type"] for each in answer["deliveries"]]

    assert await found() == ["webhook.test", "document.ready", "document.ready"]
    assert await found(endpoint_id=second["id"]) == ["document.ready"]
    assert await found(subject_id=document["id"]) == ["document.ready"] * 2
    assert await found(event_type="webhook.test") == ["webhook.test"]
    assert await found(status="delivered") == []
    assert await found(since="2099-01-01T00:00:00Z") == []
    page = (await client.get("/webhooks/deliveries", params={"limit": 1})).json()
    rest = (await client.get("/webhooks/deliveries", params={"cursor": page["next_cursor"]})).json()
    assert [each["event_type"] for each in rest["deliveries"]] == ["document.ready"] * 2


async def test_rotating_a_secret_leaves_the_old_one_a_day(client: httpx.AsyncClient) -> None:
    endpoint = await created(client)
    rotated = (await client.post(f"/webhooks/endpoints/{endpoint['id']}/rotate")).json()
    assert rotated["secret"] != endpoint["secret"]
    assert rotated["previous_until"] is not None
