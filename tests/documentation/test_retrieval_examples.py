"""The examples for LangChain and LlamaIndex in `docs/content.md` work with the real packages, where installed."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.running import Running, running, uploaded
from tests.content.pages import line, page

DOCUMENT = (Path(__file__).parents[2] / "docs" / "content.md").read_text("utf-8")
_EXAMPLES = re.findall(r"^```python\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)


async def _answers(api: Running) -> dict[str, Any]:
    """All pages of the chunks of a document, as the API gives them."""
    client = await api.admin(await api.tenant("acme"))
    document = (await uploaded(client))["id"]
    (job,) = await api.claim()
    lines = [line(f"Paragraph {at} says something. " * 4, 3 * at, block=at) for at in range(12)]
    await api.complete(job, page(*lines))
    answers: dict[str, Any] = {"document": document}
    cursor: dict[str, str] = {}
    while True:
        body = (await client.get(f"/documents/{document}/chunks", params={"size": 64, "limit": 2, **cursor})).json()
        answers[cursor.get("cursor", "")] = body
        if body["next_cursor"] is None:
            return answers
        cursor = {"cursor": body["next_cursor"]}


@pytest.fixture
async def answers(database_url: str, tmp_path: Path) -> dict[str, Any]:
    async with running(database_url, tmp_path) as api:
        return await _answers(api)


def _client(answers: dict[str, Any]) -> httpx.Client:
    """The examples are synchronous, so they get what the API answered before."""

    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.params["size"] == "64"
        return httpx.Response(200, json=answers[request.url.params.get("cursor", "")])

    return httpx.Client(base_url="http://docsieve/api/v1", transport=httpx.MockTransport(answer))


def _shown(*numbers: int) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for number in numbers:
        exec(_EXAMPLES[number], names)
    return names


def _texts(answers: dict[str, Any]) -> list[str]:
    pages = [each for name, each in answers.items() if name != "document"]
    assert len(pages) > 1
    return [chunk["text"] for each in pages for chunk in each["chunks"]]


def test_the_examples_follow_the_cursor(answers: dict[str, Any]) -> None:
    found = list(_shown(0)["chunks"](_client(answers), answers["document"], size=64))
    assert [chunk["text"] for chunk in found] == _texts(answers)


def test_langchain_loads_chunks_as_documents(answers: dict[str, Any]) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    documents = _shown(0, 1)["DocsieveLoader"](_client(answers), [answers["document"]], size=64).load()
    assert [each.page_content for each in documents] == _texts(answers)
    assert documents[0].metadata["pages"] == [1]
    assert len({each.id for each in documents}) == len(documents)


def test_llamaindex_takes_chunks_as_nodes(answers: dict[str, Any]) -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")
    nodes = _shown(0, 2)["docsieve_nodes"](_client(answers), answers["document"], size=64)
    assert [each.text for each in nodes] == _texts(answers)
    assert json.loads(nodes[0].to_json())["metadata"]["document_id"] == answers["document"]
