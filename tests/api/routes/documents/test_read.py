"""Documents as their owners see them, in every state a worker can leave them."""

import json
from typing import Any
from uuid import UUID

import httpx

from docsieve.db.access.tenants import Tenant
from docsieve.domain.documents import original_key
from tests.api.running import Running, assert_problem, once, upload, uploaded


async def _walk(client: httpx.AsyncClient, limit: int, **query: str) -> list[str]:
    """The ids of all pages in their order."""
    ids: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = (await client.get("/documents", params={"limit": limit, **query, **cursor})).json()
        ids += [document["id"] for document in page["documents"]]
        if page["next_cursor"] is None:
            return ids
        cursor = {"cursor": page["next_cursor"]}


async def _ready(api: Running, client: httpx.AsyncClient, *texts: str, **given: Any) -> dict[str, Any]:
    document = await uploaded(client, **given)
    (job,) = await api.claim()
    await api.complete(job, *texts, sealed="password" in given)
    return document


async def test_the_pages_of_a_list_hold_every_document_once_newest_first(client: httpx.AsyncClient) -> None:
    ids = [(await uploaded(client, str(n).encode()))["id"] for n in range(7)]
    expected = sorted(ids, reverse=True)
    for limit in (1, 3, 7, 200):
        assert await _walk(client, limit) == expected


async def test_a_list_stays_stable_while_documents_arrive(client: httpx.AsyncClient) -> None:
    before = sorted([(await uploaded(client, str(n).encode()))["id"] for n in range(4)], reverse=True)
    first = (await client.get("/documents", params={"limit": 2})).json()
    for n in range(3):
        await uploaded(client, f"new {n}".encode())
    second = (await client.get("/documents", params={"limit": 9, "cursor": first["next_cursor"]})).json()
    assert [document["id"] for document in first["documents"] + second["documents"]] == before


async def test_lists_are_filtered_by_status_project_and_part_of_the_name(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await api.project(acme, "side")
    ready = await _ready(api, client, "one", filename="Rechnung_100%.txt")
    side = await uploaded(client, b"b", "brief.txt", project="side")
    assert await _walk(client, 1, status="ready") == [ready["id"]]
    assert await _walk(client, 1, status="pending") == [side["id"]]
    assert await _walk(client, 1, status="failed") == []
    assert await _walk(client, 1, project="side") == [side["id"]]
    assert await _walk(client, 1, project="nowhere") == []
    assert await _walk(client, 1, name="RECHNUNG") == [ready["id"]]
    for literal in ("_", "%", "_100%"):
        assert await _walk(client, 1, name=literal) == [ready["id"]]
    assert await _walk(client, 1, name="\\") == []
    assert await _walk(client, 1, name="brief", project="default") == []


async def test_a_wrong_limit_cursor_or_filter_is_422(client: httpx.AsyncClient) -> None:
    for query in (
        "limit=0",
        "limit=201",
        "limit=x",
        "cursor=x",
        "cursor=%F0%9F",
        "status=done",
        "name=%00",
        "project=A",
    ):
        assert_problem(await client.get(f"/documents?{query}"), 422, "invalid_request")


async def test_status_follows_the_job_and_counts_those_ahead(api: Running, client: httpx.AsyncClient) -> None:
    first, second = await uploaded(client, b"1"), await uploaded(client, b"2")
    waiting = (await client.get(f"/documents/{second['id']}/status")).json()
    assert (waiting["status"], waiting["queue_position"], waiting["job"]["attempts"]) == ("pending", 2, 0)
    (job,) = await api.claim()
    assert str(job.document_id) == first["id"]
    running = (await client.get(f"/documents/{first['id']}/status")).json()
    assert (running["status"], running["queue_position"]) == ("processing", None)
    assert running["progress"] == {"stage": "starting", "page": None, "pages": None, "seconds_left": None}
    assert (await client.get(f"/documents/{second['id']}/status")).json()["queue_position"] == 1
    await api.complete(job, "one", "two")
    ready = (await client.get(f"/documents/{first['id']}/status")).json()
    assert (ready["status"], ready["page_count"], ready["error"]) == ("ready", 2, None)


async def test_status_shows_why_the_last_attempt_failed_and_when_the_next_starts(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await uploaded(client)
    (job,) = await api.claim()
    await api.fail(job, retry_in=60)
    state = (await client.get(f"/documents/{document['id']}/status")).json()
    assert (state["status"], state["job"]["status"]) == ("pending", "pending")
    assert state["job"]["run_at"] is not None
    assert state["error"]["code"] == "corrupt_document"


async def test_an_unchanged_status_is_304(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{(await uploaded(client))['id']}/status"
    etag = (await client.get(url)).headers["etag"]
    for sent in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        unchanged = await client.get(url, headers={"If-None-Match": sent})
        assert (unchanged.status_code, unchanged.content, unchanged.headers["etag"]) == (304, b"", etag)
    assert (await client.get(url, headers={"If-None-Match": '"other"'})).status_code == 200
    await api.claim()
    changed = await client.get(url, headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != etag


async def test_text_and_pages_are_there_when_the_document_is_ready(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    url = f"/documents/{document['id']}"
    for part in ("text", "pages/1"):
        assert_problem(await client.get(f"{url}/{part}"), 409, "document_not_ready")
    (job,) = await api.claim()
    await api.complete(job, "one", "two")
    text = (await client.get(f"{url}/text")).json()
    assert text["pages"] == [{"number": 1, "text": "one"}, {"number": 2, "text": "two"}]
    assert (text["page_count"], text["text"]) == (2, "one\n\ntwo")
    plain = await client.get(f"{url}/text", headers={"Accept": "text/plain"})
    assert (plain.text, plain.headers["content-type"]) == ("one\ftwo", "text/plain; charset=utf-8")
    page = (await client.get(f"{url}/pages/2")).json()
    assert (page["number"], page["width"], page["lines"][0]["text"]) == (2, 612.0, "two")
    for number in (0, 3, -1, 10**30):
        assert_problem(await client.get(f"{url}/pages/{number}"), 404, "not_found")


async def test_the_text_of_a_long_document_is_streamed_in_the_same_form(
    api: Running, client: httpx.AsyncClient
) -> None:
    texts = [f'page {number} "quoted"\tä\u2028\\' for number in range(1, 102)]
    url = f"/documents/{(await _ready(api, client, *texts))['id']}/text"
    answer = await client.get(url)
    assert "content-length" not in answer.headers
    text = answer.json()
    assert (text["page_count"], text["text"]) == (101, "\n\n".join(texts))
    assert text["pages"] == [{"number": number, "text": page} for number, page in enumerate(texts, 1)]
    plain = await client.get(url, headers={"Accept": "text/plain"})
    assert (plain.text, plain.headers["content-type"]) == ("\f".join(texts), "text/plain; charset=utf-8")


async def test_damage_to_a_late_page_of_a_long_document_is_a_problem_and_not_a_broken_answer(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await uploaded(client)
    (job,) = await api.claim()
    key = await api.complete(job, *(f"page {number}" for number in range(1, 102)))
    content = await api.resources.blobs.get(key)
    middle = len(content) // 2
    await api.resources.blobs.put(key, once(content[:middle] + b"????" + content[middle + 4 :]))
    assert_problem(await client.get(f"/documents/{document['id']}/text"), 503, "pages_damaged")


async def test_the_original_is_an_attachment_that_no_browser_runs(client: httpx.AsyncClient) -> None:
    content = b"<html><script>alert(1)</script>"
    document = await uploaded(client, content, "page.html")
    answer = await client.get(f"/documents/{document['id']}/file")
    assert answer.content == content
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''page.html"
    assert answer.headers["content-length"] == str(len(content))
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]


async def test_an_original_that_the_store_has_lost_is_a_problem_and_not_a_broken_answer(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    document = await uploaded(client)
    await api.resources.blobs.delete(original_key(acme.id, UUID(document["id"])))
    assert_problem(await client.get(f"/documents/{document['id']}/file"), 500, "blob_missing")


async def test_a_deleted_document_leaves_no_row_and_no_blob(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client, "one", key="once")
    assert (await client.delete(f"/documents/{document['id']}")).status_code == 204
    assert [await api.count(table) for table in ("documents", "jobs", "idempotency_keys")] == [0, 0, 0]
    assert await api.blobs() == set()
    assert_problem(await client.get(f"/documents/{document['id']}"), 404, "not_found")
    assert_problem(await client.delete(f"/documents/{document['id']}"), 404, "not_found")


async def test_a_document_can_be_deleted_while_it_is_read(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    (job,) = await api.claim()
    assert (await client.delete(f"/documents/{document['id']}")).status_code == 204
    assert_problem(await client.get(f"/jobs/{job.id}"), 404, "not_found")
    assert await api.count("jobs") == 0


async def test_pages_stay_while_another_document_has_the_same_content(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await api.project(acme, "side")
    limited = await api.admin(acme, project_id=await api.project(acme, "third"))
    kept = await _ready(api, client, "one", project="side")
    for owner in (client, limited):
        deleted = await _ready(api, owner, "one")
        assert (await owner.delete(f"/documents/{deleted['id']}")).status_code == 204
        assert (await client.get(f"/documents/{kept['id']}/text")).json()["text"] == "one"
    assert (await client.delete(f"/documents/{kept['id']}")).status_code == 204
    assert await api.blobs() == set()


async def test_pages_that_a_password_opened_go_with_their_document(api: Running, client: httpx.AsyncClient) -> None:
    plain = await _ready(api, client, "one")
    sealed = await _ready(api, client, "one", password="secret")
    before = await api.blobs()
    await client.delete(f"/documents/{sealed['id']}")
    gone = before - await api.blobs()
    assert len(gone) == 2
    assert all(sealed["id"] in key for key in gone)
    assert (await client.get(f"/documents/{plain['id']}/text")).status_code == 200


async def test_reprocessing_queues_the_document_again_ahead_of_others(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client, "one")
    url = f"/documents/{document['id']}"
    answer = (await client.post(f"{url}/reprocess", json={"schema": "invoice", "engine": "local"})).json()
    assert answer["message"]
    assert answer["job_id"] != document["processing_job_id"]
    job = (await client.get(f"/jobs/{answer['job_id']}")).json()
    old = (await client.get(f"/jobs/{document['processing_job_id']}")).json()
    assert (job["status"], job["priority"] > old["priority"]) == ("pending", True)
    shown = (await client.get(url)).json()
    assert (shown["status"], shown["processing_job_id"]) == ("pending", answer["job_id"])
    assert (shown["schema"], shown["engine"]) == ("invoice", "local")


async def test_a_document_under_way_cannot_be_reprocessed(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    url = f"/documents/{document['id']}/reprocess"
    assert_problem(await client.post(url), 409, "document_busy")
    (job,) = await api.claim()
    assert_problem(await client.post(url), 409, "document_busy")
    await api.fail(job)
    assert (await client.post(url)).status_code == 200
    assert_problem(await client.post(url), 409, "document_busy")
    assert_problem(await client.post(url, json={"color": "blue"}), 422, "invalid_request")


async def test_no_response_reveals_internal_data(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client, "one", password="secret")
    for path in ("/documents", f"/documents/{document['id']}", f"/documents/{document['id']}/status", "/jobs"):
        body = json.dumps((await client.get(path)).json())
        for hidden in ("tenant_id", "pages_key", "sealed", "lock_expires_at", "args"):
            assert hidden not in body, path


async def test_uploading_needs_the_default_project_unless_one_is_named(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await api.project(acme, "side")
    assert (await client.delete("/projects/default")).status_code == 204
    assert_problem(await upload(client), 422, "unknown_project")
    assert (await uploaded(client, project="side"))["project"] == "side"
    assert_problem(await client.delete("/projects/side"), 409, "project_not_empty")
