"""The content of documents through the API: formats, pages, chunks."""

import csv
import io
from typing import Any

import httpx
import pytest

from docsieve.domain.pages.page import Page
from tests.api.running import Running, assert_problem, uploaded
from tests.content.pages import line, page, table

_SENTENCE = "The committee met again and nothing was decided about the bridge."


_CHAPTERS = ("Outlook", "Bridges", "Roads", "Rivers")


def _pages(count: int = 4) -> list[Page]:
    made = []
    for number in range(1, count + 1):
        items, lines = table([["Item", "Price"], *[[f"Lamp {number}.{at}", f"{at}0"] for at in range(16)]], 30)
        made.append(
            page(
                line("Annual report", 1, block=0),
                line(f"{number}. {_CHAPTERS[number % 4]}", 4, role="heading", block=1),
                *[line(f"{_CHAPTERS[number % 4]} {at}: {_SENTENCE}", 8 + 2 * at, block=2 + at) for at in range(4)],
                *lines,
                line(f"Page {number} of {count}", 58, block=9),
                number=number,
                tables=[items],
            )
        )
    return made


async def _ready(api: Running, client: httpx.AsyncClient, *pages: Page) -> str:
    document = await uploaded(client)
    (job,) = await api.claim()
    await api.complete(job, *(pages or _pages()))
    return str(document["id"])


@pytest.mark.parametrize(
    ("accept", "media_type", "begins"),
    [
        ("*/*", "application/json", '{"document_id":"'),
        ("text/markdown", "text/markdown", "<!-- page 1 -->"),
        ("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "text/html", "<!DOCTYPE html>"),
        ("application/json;q=0.2, text/plain;q=0.7", "text/plain", "Annual report"),
        ("text/csv", "text/csv", "Item,Price"),
    ],
)
async def test_accept_chooses_the_format(
    api: Running, client: httpx.AsyncClient, accept: str, media_type: str, begins: str
) -> None:
    url = f"/documents/{await _ready(api, client)}/content"
    answer = await client.get(url, headers={"Accept": accept})
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == media_type
    assert answer.text.startswith(begins)
    assert "Accept" in answer.headers["vary"]


async def test_a_type_that_does_not_exist_is_406(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{await _ready(api, client)}/content"
    for accept in ("image/png", "text/html;q=0"):
        assert_problem(await client.get(url, headers={"Accept": accept}), 406, "not_acceptable")
    given = await client.get(url, params={"format": "html"}, headers={"Accept": "image/png"})
    assert given.status_code == 200


async def test_pages_are_chosen_and_headers_dropped(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{await _ready(api, client)}/content"

    async def numbers(**query: Any) -> list[int]:
        return [each["number"] for each in (await client.get(url, params=query)).json()["pages"]]

    assert await numbers() == [1, 2, 3, 4]
    assert await numbers(pages="2-3") == [2, 3]
    assert await numbers(pages="3") == [3]
    assert await numbers(pages="3-") == [3, 4]
    assert await numbers(pages="2-100") == [2, 3, 4]
    whole = (await client.get(url, params={"format": "text", "pages": "2"})).text
    assert whole.startswith("Annual report\n\n2. Roads")
    assert "Page 2 of 4" in whole
    dropped = (await client.get(url, params={"format": "text", "pages": "2", "headers": "false"})).text
    assert dropped.startswith("2. Roads")
    assert "Page 2 of 4" not in dropped


async def test_pages_that_do_not_exist_are_422(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{await _ready(api, client)}/content"
    for pages in ("5", "0", "0-2", "3-2"):
        assert_problem(await client.get(url, params={"pages": pages}), 422, "pages_out_of_range")
    for pages in ("x", "-2", "1,2"):
        assert_problem(await client.get(url, params={"pages": pages}), 422, "invalid_request")


async def test_each_table_is_a_csv_of_its_own(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{await _ready(api, client)}/content"
    second = await client.get(url, params={"format": "csv", "table": 2})
    rows = list(csv.reader(io.StringIO(second.text)))
    assert (rows[0], rows[1]) == (["Item", "Price"], ["Lamp 2.0", "00"])
    assert_problem(await client.get(url, params={"format": "csv", "table": 5}), 404, "table_not_found")
    assert_problem(await client.get(url, params={"format": "text", "table": 1}), 422, "invalid_request")
    of_page = await client.get(url, params={"format": "csv", "table": 1, "pages": "3"})
    assert "Lamp 3.0" in of_page.text


async def test_unchanged_content_is_304_in_the_same_form_only(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{await _ready(api, client)}/content"
    etag = (await client.get(url, params={"format": "markdown"})).headers["etag"]
    same = await client.get(url, params={"format": "markdown"}, headers={"If-None-Match": etag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", etag)
    for query in ({"format": "html"}, {"format": "markdown", "pages": "2"}, {"format": "markdown", "headers": "false"}):
        assert (await client.get(url, params=query, headers={"If-None-Match": etag})).status_code == 200


async def test_content_of_a_document_that_was_not_read_is_409(client: httpx.AsyncClient) -> None:
    document = (await uploaded(client))["id"]
    for what in ("content", "chunks"):
        assert_problem(await client.get(f"/documents/{document}/{what}"), 409, "document_not_ready")


async def test_damaged_pages_are_503_before_anything_is_sent(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    (job,) = await api.claim()
    key = await api.complete(job, *_pages(120))
    content = bytearray(await api.resources.blobs.get(key))
    content[len(content) // 2] ^= 1
    await api.resources.blobs.delete(key)

    async def damaged() -> Any:
        yield bytes(content)

    await api.resources.blobs.put(key, damaged())
    for what in ("content", "chunks?size=4000&limit=500"):
        assert_problem(await client.get(f"/documents/{document['id']}/{what}"), 503, "pages_damaged")


async def _walk(client: httpx.AsyncClient, document: str, **query: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        answer = await client.get(f"/documents/{document}/chunks", params={**query, **cursor})
        assert answer.status_code == 200, answer.text
        body = answer.json()
        found += body["chunks"]
        if body["next_cursor"] is None:
            return found
        cursor = {"cursor": body["next_cursor"]}


async def test_chunks_have_text_pages_boxes_headings_and_tokens(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client)
    chunks = await _walk(client, document)
    assert [chunk["number"] for chunk in chunks] == list(range(len(chunks)))
    assert {chunk["kind"] for chunk in chunks} == {"text", "table"}
    second = next(chunk for chunk in chunks if "Roads 0:" in chunk["text"])
    assert (second["headings"], second["pages"]) == (["2. Roads"], [2])
    assert 0 < second["tokens"] <= 320
    place = second["places"][1]
    assert second["text"][place["start"] : place["end"]].startswith("Roads 0:")
    assert place["box"][1] == 112.0
    assert not any("Page 2 of 4" in chunk["text"] for chunk in chunks)
    kept = await _walk(client, document, headers="true")
    assert any("Page 2 of 4" in chunk["text"] for chunk in kept)


async def test_pages_of_chunks_hold_each_once_with_the_same_ids(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client)
    whole = await _walk(client, document, size=64, limit=500)
    assert len(whole) > 8
    for limit in (1, 3, len(whole)):
        assert await _walk(client, document, size=64, limit=limit) == whole
    assert len({chunk["id"] for chunk in whole}) == len(whole)
    other = await _walk(client, document, size=70, limit=500)
    assert not {chunk["id"] for chunk in whole} & {chunk["id"] for chunk in other}


async def test_a_cursor_belongs_to_its_sizes(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{await _ready(api, client)}/chunks"
    cursor = (await client.get(url, params={"size": 64, "limit": 1})).json()["next_cursor"]
    assert_problem(await client.get(url, params={"size": 65, "cursor": cursor}), 422, "invalid_request")
    assert_problem(await client.get(url, params={"size": 31}), 422, "invalid_request")
    assert_problem(await client.get(url, params={"size": 4001}), 422, "invalid_request")
    assert_problem(await client.get(url, params={"size": 64, "overlap": 33}), 422, "invalid_request")


async def test_another_tenant_gets_404(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client)
    other = await api.admin(await api.tenant("globex"))
    for what in ("content", "chunks"):
        assert_problem(await other.get(f"/documents/{document}/{what}"), 404, "not_found")
