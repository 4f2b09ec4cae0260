"""Search never finds another tenant's documents, even with only one of the two barriers."""

import pytest

from docsieve.db.documents import deletion
from docsieve.db.index import embedders
from docsieve.db.index import search as index
from docsieve.db.index.search import NO_FILTERS, Within
from docsieve.domain.scope import Scope
from tests.services.index.library import Library, new_library, page

SECRET = "The zeppelin carries plutonium to the lighthouse."


async def _with_neighbor(library: Library) -> Library:
    await library.add(page("We own a garden with apple trees."))
    neighbor = await new_library(library.database, library.known)
    await neighbor.add(page(SECRET))
    return neighbor


@pytest.mark.usefixtures("walls")
async def test_another_tenants_chunk_is_never_found(library: Library) -> None:
    neighbor = await _with_neighbor(library)
    assert len((await neighbor.ask("zeppelin")).hits) == 1
    own = {hit.document_id for hit in (await library.ask("garden")).hits}
    for query in ("zeppelin", "zepelin", '"carries plutonium"', SECRET):
        found = await library.ask(query)
        assert {hit.document_id for hit in found.hits} <= own, query
        assert found.corrections == {}, query


@pytest.mark.usefixtures("walls")
async def test_no_statement_about_the_index_reaches_into_another_tenant(library: Library) -> None:
    neighbor = await _with_neighbor(library)
    async with library.database.system() as connection:
        theirs = await connection.fetchrow(
            "select id, terms, document_id from chunks where tenant_id = $1", neighbor.scope.tenant_id
        )
        assert theirs is not None
        (embedder,) = await embedders.in_use(connection)
    vector = "[" + ",".join(["0.1"] * embedder.dimensions) + "]"
    everywhere, there = Within(NO_FILTERS), Within(NO_FILTERS, [theirs["document_id"]])
    async with library.database.tenant(library.scope) as session:
        assert set((await index.statistics(session, theirs["terms"])).having.values()) == {0}
        assert await index.similar_words(session, ["zeppelin"], each=9) == []
        assert await index.chunks(session, [theirs["id"]]) == {}
        for where in (everywhere, there):
            assert await index.profiles(session, where, any_of=theirs["terms"], limit=9) == []
            near = await index.nearest(session, embedder, vector, where, among=1, limit=9)
            assert theirs["id"] not in near
        assert theirs["id"] not in await index.nearest(session, embedder, vector, everywhere, among=10**9, limit=9)


async def test_the_functions_answer_only_for_the_tenant_of_the_transaction(library: Library) -> None:
    """The other wall: a statement that named another tenant would get nothing from them."""
    neighbor = await _with_neighbor(library)
    them = neighbor.scope.tenant_id
    async with library.database.system() as connection:
        terms = await connection.fetchval("select terms from chunks where tenant_id = $1", them)
    async with library.database.tenant(library.scope) as session:
        ask = session.connection
        assert await ask.fetchval("select total from search_statistics($1, $2)", them, terms) is None
        assert await ask.fetch("select search_candidates($1, $2, '{}', null, 9)", them, terms) == []
        assert await ask.fetch("select * from search_spellings($1, array['zeppelin'], 9)", them) == []
        for table in ("chunks", "chunk_vectors", "spellings"):
            assert await ask.fetchval(f"select count(*) from {table} where tenant_id = $1", them) == 0


async def test_how_rare_a_word_is_depends_on_ones_own_documents_alone(library: Library) -> None:
    await library.add(page("A zeppelin over the garden."))
    await library.add(page("Apple trees in the garden."))
    before = [(hit.document_id, hit.score) for hit in (await library.ask("zeppelin garden")).hits]
    neighbor = await new_library(library.database, library.known)
    for _ in range(20):
        await neighbor.add(page(SECRET))
    assert [(hit.document_id, hit.score) for hit in (await library.ask("zeppelin garden")).hits] == before


async def test_a_key_limited_to_a_project_finds_nothing_outside_it(library: Library) -> None:
    side = await library.project("side")
    await library.add(page(SECRET))
    inside = await library.add(page("Inside stands a lighthouse keeper."), project_id=side)
    limited = Library(library.database, Scope(library.scope.tenant_id, side), library.known)
    for query in ("zeppelin", "zepelin", "lighthouse", SECRET):
        found = await limited.ask(query)
        assert {hit.document_id for hit in found.hits} <= {inside}, query
        assert "zeppelin" not in found.corrections.values()
    assert len(await library.found("lighthouse")) == 2


async def test_deleting_a_document_removes_its_chunks_and_vectors(library: Library) -> None:
    document_id = await library.add(page(SECRET))
    async with library.database.tenant(library.scope) as session:
        await deletion.delete(session, [document_id])
    assert await library.found("zeppelin") == []
    async with library.database.system() as connection:
        assert await connection.fetchval("select count(*) from chunks") == 0
        assert await connection.fetchval("select count(*) from chunk_vectors") == 0
