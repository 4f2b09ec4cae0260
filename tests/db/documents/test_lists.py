"""Lists of documents: every sort order by pages, filters, and totals."""

import json
from base64 import urlsafe_b64encode
from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.api.cursors import write_cursor
from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import lists as document_lists
from docsieve.db.documents.lists import DocumentFilter, Position, Sort
from docsieve.domain.scope import Scope
from tests.api.extracting import TOTAL, begun, complete, result
from tests.api.running import Running, assert_problem, uploaded

SOME_ID = UUID(int=1)
# name, size, confidence of its extraction
FILES = (("b.txt", 3, 0.9), ("A.txt", 5, None), ("c.txt", 3, 0.2), ("ä.txt", 1, 0.9), ("a.txt", 5, None))


async def _all(client: httpx.AsyncClient, limit: int = 2, **query: Any) -> list[dict[str, Any]]:
    """The documents of all pages in their order."""
    found: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        page = (await client.get("/documents", params={"limit": limit, **query, **cursor})).json()
        found += page["documents"]
        assert page["total"] >= len(found)
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}


async def _extracted(api: Running, client: httpx.AsyncClient, document_id: str, confidence: float) -> str:
    started = await begun(client, document_id, schema=TOTAL)
    await complete(api, started["id"], result({"total": 5.0}, document_id, confidence=confidence))
    extraction_id: str = started["id"]
    return extraction_id


async def _filled(api: Running, client: httpx.AsyncClient) -> list[dict[str, Any]]:
    made = []
    for number, (name, size, confidence) in enumerate(FILES):
        document = await uploaded(client, str(number).encode() * size, name)
        (job,) = await api.claim()
        await api.complete(job, "page")
        if confidence is not None:
            await _extracted(api, client, document["id"], confidence)
        made.append(document)
    return made


@pytest.mark.parametrize("limit", [1, 2, 200])
async def test_the_pages_of_every_order_hold_each_document_once(
    api: Running, client: httpx.AsyncClient, limit: int
) -> None:
    await _filled(api, client)

    async def names(sort: str) -> list[str]:
        return [each["filename"] for each in await _all(client, limit, sort=sort)]

    assert await names("-created_at") == [name for name, *_ in reversed(FILES)]
    assert await names("created_at") == [name for name, *_ in FILES]
    assert await names("filename") == ["A.txt", "a.txt", "b.txt", "c.txt", "ä.txt"]
    assert await names("-filename") == ["ä.txt", "c.txt", "b.txt", "a.txt", "A.txt"]
    assert await names("size") == ["ä.txt", "b.txt", "c.txt", "A.txt", "a.txt"]
    assert await names("-size") == ["a.txt", "A.txt", "c.txt", "b.txt", "ä.txt"]
    assert await names("confidence") == ["c.txt", "b.txt", "ä.txt", "A.txt", "a.txt"]
    assert await names("-confidence") == ["ä.txt", "b.txt", "c.txt", "a.txt", "A.txt"]


async def test_a_page_goes_on_where_the_last_one_ended_whatever_comes_or_goes(client: httpx.AsyncClient) -> None:
    for name in ("b", "d", "f", "h"):
        await uploaded(client, name.encode(), name)
    first = (await client.get("/documents", params={"sort": "filename", "limit": 2})).json()
    for name in ("a", "c", "e"):
        await uploaded(client, name.encode(), name)
    await client.delete(f"/documents/{first['documents'][1]['id']}")
    rest = await _all(client, sort="filename", cursor=first["next_cursor"], limit=200)
    assert [each["filename"] for each in rest] == ["e", "f", "h"]


async def test_the_total_is_that_of_the_filter_on_every_page(api: Running, client: httpx.AsyncClient) -> None:
    await _filled(api, client)
    await uploaded(client, b"pending", "pending.txt")
    for query, total in (({}, 6), ({"status": "ready"}, 5), ({"name": "a.t"}, 2), ({"needs_review": True}, 1)):
        page = (await client.get("/documents", params={"limit": 1, **query})).json()
        assert page["total"] == total, query
        if page["next_cursor"] is not None:
            second = await client.get("/documents", params={"limit": 1, "cursor": page["next_cursor"], **query})
            assert second.json()["total"] == total, query
    assert (await client.get("/documents", params={"needs_review": False})).json()["total"] == 5
    assert (await client.get("/documents", params={"class": "no such"})).json()["total"] == 0


async def test_a_document_shows_its_newest_completed_extraction(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    (job,) = await api.claim()
    await api.complete(job, "one")

    async def shown() -> tuple[Any, Any]:
        found = (await client.get(f"/documents/{document['id']}")).json()
        return found["confidence"], found["needs_review"]

    assert await shown() == (None, None)
    older = await _extracted(api, client, document["id"], 0.9)
    assert await shown() == (0.9, False)
    newer = await _extracted(api, client, document["id"], 0.3)
    assert await shown() == (0.3, True)
    await begun(client, document["id"], schema=TOTAL)
    assert await shown() == (0.3, True)
    await client.post(f"/extractions/{older}/verify")
    assert await shown() == (0.3, True)
    await client.post(f"/extractions/{newer}/verify")
    assert await shown() == (0.3, False)


async def test_an_older_extraction_that_ends_late_does_not_take_the_newer_ones_place(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await uploaded(client)
    (job,) = await api.claim()
    await api.complete(job, "one")
    older = await begun(client, document["id"], schema=TOTAL)
    newer = await begun(client, document["id"], schema=TOTAL, priority=5)
    await complete(api, newer["id"], result({"total": 5.0}, document["id"], confidence=0.8))
    await complete(api, older["id"], result({"total": 5.0}, document["id"], confidence=0.1))
    found = (await client.get(f"/documents/{document['id']}")).json()
    assert (found["confidence"], found["needs_review"]) == (0.8, False)


def _raw(value: Any) -> str:
    return urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    ("sort", "cursor"),
    [
        ("filename", write_cursor("size", 5, SOME_ID)),
        ("-size", write_cursor("size", 5, SOME_ID)),
        ("size", write_cursor("size", "5", SOME_ID)),
        ("size", write_cursor("size", 2**63, SOME_ID)),
        ("size", write_cursor("size", True, SOME_ID)),
        ("confidence", _raw(["confidence", "NaN", str(SOME_ID)])),
        ("confidence", _raw(["confidence", 10**400, str(SOME_ID)])),
        ("confidence", _raw(["confidence", float("nan"), str(SOME_ID)])),
        ("filename", _raw(["filename", "a\x00", str(SOME_ID)])),
        ("filename", _raw(["filename", "\ud800", str(SOME_ID)])),
        ("filename", _raw(["filename", "a", "no id"])),
        ("filename", _raw({"a": 1})),
        ("filename", _raw([["filename"], [], []])),
        ("filename", "AAAA"),
        ("filename", "x" * 1999),
        ("created_at", "no/cursor"),
        ("no_order", write_cursor("created_at", None, SOME_ID)),
    ],
)
async def test_a_cursor_that_this_list_did_not_give_is_422(client: httpx.AsyncClient, sort: str, cursor: str) -> None:
    answer = await client.get("/documents", params={"sort": sort, "cursor": cursor})
    assert_problem(answer, 422, "invalid_request")


@pytest.mark.parametrize(
    ("sort", "key", "index"),
    [
        ("-created_at", None, "documents_by_tenant"),
        ("filename", "name-2500", "documents_by_sorted_name"),
        ("-size", 2500, "documents_by_size"),
    ],
)
async def test_a_page_deep_in_the_list_is_read_from_its_index_alone(
    api: Running, acme: Tenant, sort: Sort, key: str | int | None, index: str
) -> None:
    database = api.resources.database
    async with database.system() as connection:
        await connection.execute(
            """
            insert into documents (id, tenant_id, project_id, filename, media_type, size, sha256)
            select gen_random_uuid(), tenant_id, id, 'name-' || n, 'text/plain', n, n::text
            from projects, generate_series(1, 5000) n where tenant_id = $1
            """,
            acme.id,
        )
        await connection.execute("analyze documents")
    async with database.tenant(Scope(acme.id)) as session:
        query, arguments = document_lists.page_query(session, DocumentFilter(), sort, Position(key, SOME_ID), 50)
        plan = json.dumps(json.loads(await session.connection.fetchval(f"explain (format json) {query}", *arguments)))
    assert f'"{index}"' in plan
    assert '"Sort"' not in plan and '"Seq Scan"' not in plan
