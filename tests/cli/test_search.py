"""`docsieve search`, as a process against a running API."""

import asyncio
from collections.abc import Callable

from docsieve.db.access import tenants
from docsieve.db.connection.session import Database
from docsieve.domain.scope import Scope
from docsieve.embeddings.known import KnownEmbedders
from docsieve.embeddings.local import LocalEmbedder
from tests.cli.terminal import CommandLine
from tests.service import Service
from tests.services.index.library import Library, page


async def _add(database_url: str, text: str) -> str:
    database = await Database.open(database_url)
    try:
        async with database.system() as connection:
            tenant = await tenants.find(connection, "default")
        assert tenant is not None
        library = Library(database, Scope(tenant.id), KnownEmbedders(LocalEmbedder()))
        return str(await library.add(page(text), filename="dues\u202etxt.exe", sha256="same"))
    finally:
        await database.close()


def test_a_search_prints_its_hits(start_service: Callable[..., Service], database_url: str) -> None:
    service = start_service()
    service.api()
    docsieve = CommandLine(service.environment)
    assert "There are no matching documents." in docsieve("search", "harbour").out
    document_id = asyncio.run(_add(database_url, "Pay the \x1b[31m harbour dues in advance."))
    ran = docsieve("search", "harbor", "--explain")
    assert ran.code == 0
    assert "harbor was corrected to harbour" in ran.out
    for expected in ("dues[U+202E]txt.exe", document_id, "harbour dues in advance.", "words", "spelling"):
        assert expected in ran.out
    assert "\x1b" not in ran.out
    [hit] = docsieve("search", "dues", "--json").json()["hits"]
    assert (hit["document_id"], hit["filename"]) == (document_id, "dues\u202etxt.exe")
    asyncio.run(_add(database_url, "Pay the \x1b[31m harbour dues in advance."))
    assert docsieve("search", "dues").out.count("also dues[U+202E]txt.exe") == 1
    assert docsieve("search", "dues", "--class", "letter", "--json").json()["hits"] == []
    refused = docsieve("search", "?!")
    assert (refused.code, refused.err) == (1, "empty_query: The query contains no words.\n")
