"""The plans of the searches' statements, so that they cannot rot: each goes through the index made for it."""

from docsieve.db.connection.driver import Connection
from docsieve.db.index import embedders
from docsieve.domain.ids import new_id
from tests.services.index.library import Library, page


async def _plan(connection: Connection, statement: str) -> str:
    return "\n".join(row[0] for row in await connection.fetch(f"explain {statement}"))


async def test_words_are_looked_up_in_their_indexes_by_an_owner_who_is_not_a_superuser(library: Library) -> None:
    """What the functions may do: under row-level security alone these operators would not reach an index."""
    tenant, owner = library.scope.tenant_id, f"owner_{new_id().hex}"
    async with library.database.system() as connection, connection.transaction():
        await connection.execute(
            "insert into spellings (tenant_id, word, term) select $1, md5(n::text), n from generate_series(1, 5000) n",
            tenant,
        )
        await connection.execute(
            f"""analyze spellings;
            create role {owner} nosuperuser nobypassrls; grant docsieve_app, docsieve_system to {owner};
            set local role {owner}; set local enable_seqscan = off; set local docsieve.tenant_id = '{tenant}'"""
        )
        statements = {
            "chunks_by_term": "select id from chunks where terms && array[1, 2]",
            "chunks_by_term_sampled": "select count(*) from chunks where terms @> array[1] and level >= 1",
            "chunks_by_term_sparse": "select count(*) from chunks where terms @> array[1] and level >= 2",
            "spellings_by_trigram": f"select word from spellings where word % 'zepelin' and tenant_id = '{tenant}'",
        }
        for index, statement in statements.items():
            assert f"on {index} " in await _plan(connection, statement), index
        await connection.execute(f"reset role; drop owned by {owner}; drop role {owner}")


async def test_near_vectors_are_looked_up_in_the_graph_behind_the_walls(library: Library) -> None:
    await library.add(page("one"))
    async with library.database.system() as connection:
        (row,) = await embedders.in_use(connection)
        await embedders.build_index(connection, row)
    zeros = "[" + ",".join(["1"] * row.dimensions) + "]"
    async with library.database.tenant(library.scope) as session:
        await session.connection.execute("set local enable_sort = off")
        plan = await _plan(
            session.connection,
            f"""select chunk_id from chunk_vectors
            where tenant_id = '{library.scope.tenant_id}' and embedder_id = {row.id}
            order by embedding::halfvec({row.dimensions}) <=> (select '{zeros}'::text::halfvec({row.dimensions}))
            limit 10""",
        )
    assert f"using {row.index} " in plan
