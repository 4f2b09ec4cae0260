"""Search over HTTP: responses, filters and rejected requests."""

from typing import Any

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.scope import Scope
from tests.api.running import Running, assert_problem
from tests.services.index.library import Library, page


@pytest.fixture
def library(api: Running, acme: Tenant) -> Library:
    return Library(api.resources.database, Scope(acme.id), api.resources.embedders)


async def test_a_hit_has_document_page_snippet_boxes_and_score(client: httpx.AsyncClient, library: Library) -> None:
    document_id = await library.add(
        page("Nothing."), page("Pay the <b>harbour</b> dues.", number=2), filename="dues.pdf"
    )
    answer = (await client.get("/search", params={"q": "harbour"})).raise_for_status().json()
    (hit,) = answer["hits"]
    assert (hit["document_id"], hit["filename"], hit["page"], hit["kind"]) == (str(document_id), "dues.pdf", 2, "text")
    assert {"text": "harbour", "hit": True} in hit["snippet"]
    assert "<b>harbour</b>" in "".join(part["text"] for part in hit["snippet"])
    assert hit["boxes"] == [{"page": 2, "box": [50.0, 0.0, 500.0, 12.0]}]
    assert 0 < hit["score"] <= 1
    assert (hit["shares"], answer["explanation"]) == (None, None)


async def test_a_hit_says_how_it_matched(client: httpx.AsyncClient, library: Library) -> None:
    await library.add(page("The orchestra rehearsed with violins and cellos."))
    await library.add(page("Harbour dues are paid in advance."))

    async def best(q: str) -> list[str]:
        return (await client.get("/search", params={"q": q})).json()["hits"][0]["matched_by"]

    assert "words" in await best("harbour dues")
    assert await best("musical instrument") == ["meaning"]


async def test_an_explanation_shows_what_each_ranking_gave(client: httpx.AsyncClient, library: Library) -> None:
    await library.add(page("Harbour dues."))
    answer = (await client.get("/search", params={"q": "harbour", "explain": "true"})).json()
    (hit,) = answer["hits"]
    assert set(hit["shares"]) == {"words", "meaning", "spelling"}
    assert sum(hit["shares"].values()) == pytest.approx(hit["score"], abs=1e-5)
    assert answer["explanation"]["embedder"] == library.known.chosen.name
    assert answer["explanation"]["candidates"] == 1


async def test_filters_are_those_of_the_documents(client: httpx.AsyncClient, library: Library) -> None:
    columns: dict[str, Any] = {"metadata": '{"case": 7}', "class": "letter"}
    letter = await library.add(page("Harbour dues."), **columns)
    await library.add(page("Harbour lights."), language="de")
    for filters in (
        {"class": "letter"},
        {"metadata": '{"case": 7}'},
        {"document_id": str(letter)},
        {"language": "en", "media_type": "text/plain", "project": "default"},
        {"class": "letter", "created_from": "2020-01-01T00:00:00Z", "created_to": "2999-01-01T00:00:00Z"},
    ):
        answer = (await client.get("/search", params={"q": "harbour", **filters})).raise_for_status().json()
        assert [hit["document_id"] for hit in answer["hits"]] == [str(letter)], filters
    assert len((await client.get("/search", params={"q": "harbour", "limit": 1})).json()["hits"]) == 1


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({}, "invalid_request"),
        ({"q": ""}, "empty_query"),
        ({"q": "?! -- ;"}, "empty_query"),
        ({"q": "x " * 5000}, "invalid_request"),
        ({"q": "a\x00b"}, "invalid_request"),
        ({"q": "x", "limit": "0"}, "invalid_request"),
        ({"q": "x", "limit": "101"}, "invalid_request"),
        ({"q": "x", "metadata": "[]"}, "invalid_request"),
        ({"q": "x", "metadata": "{"}, "invalid_request"),
        ({"q": "x", "document_id": "7"}, "invalid_request"),
        ({"q": "x", "created_from": "yesterday"}, "invalid_request"),
    ],
)
async def test_a_question_that_makes_no_sense_is_refused(
    client: httpx.AsyncClient, parameters: dict[str, str], code: str
) -> None:
    assert_problem(await client.get("/search", params=parameters), 422, code)


@pytest.mark.usefixtures("walls")
async def test_a_stranger_and_a_key_of_another_project_find_nothing(
    api: Running, acme: Tenant, client: httpx.AsyncClient, library: Library
) -> None:
    await library.add(page("A secret zeppelin."))
    stranger = await api.admin(await api.tenant("stranger"))
    limited = await api.admin(acme, project_id=await api.project(acme, "side"))
    assert len((await client.get("/search", params={"q": "zeppelin"})).json()["hits"]) == 1
    for other in (stranger, limited):
        for query in ("zeppelin", "zepelin", '"secret zeppelin"'):
            answer = (await other.get("/search", params={"q": query})).raise_for_status().json()
            assert (answer["hits"], answer["corrections"]) == ([], {})
