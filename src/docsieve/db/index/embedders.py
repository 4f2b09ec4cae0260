"""The embedders of chunk vectors, and a vector index per embedder."""

from dataclasses import dataclass

from docsieve.db.connection.driver import Connection

_BUILD_SECONDS = 4 * 3600.0
_BUILD_MEMORY = "256MB"
# Half the usual build effort finds the same neighbors among vectors of a few hundred dimensions, and it is spent on
# every chunk that is added.
_HNSW = "m = 12, ef_construction = 48"


@dataclass(frozen=True, slots=True)
class EmbedderRow:
    id: int
    name: str
    dimensions: int
    state: str

    @property
    def index(self) -> str:
        return f"chunk_vectors_of_{self.id}"


_COLUMNS = "id, name, dimensions, state"


async def in_use(connection: Connection) -> list[EmbedderRow]:
    """Embedders whose vectors are kept up to date, the one used by searches first."""
    rows = await connection.fetch(
        f"select {_COLUMNS} from embedders where state in ('active', 'building') order by state, id"
    )
    return [EmbedderRow(*row) for row in rows]


async def others(connection: Connection, name: str) -> list[EmbedderRow]:
    rows = await connection.fetch(f"select {_COLUMNS} from embedders where name <> $1 order by id", name)
    return [EmbedderRow(*row) for row in rows]


async def register(connection: Connection, name: str, dimensions: int) -> EmbedderRow:
    """The embedder's row. The very first one is active immediately, because there is nothing to embed yet."""
    row = await connection.fetchrow(f"select {_COLUMNS} from embedders where name = $1", name)
    if row is None:
        await connection.execute(
            """
            insert into embedders (name, dimensions, state)
            select $1, $2, case when exists (select from embedders) or exists (select from chunks)
                           then 'building' else 'active' end
            on conflict do nothing
            """,
            name,
            dimensions,
        )
        row = await connection.fetchrow(f"select {_COLUMNS} from embedders where name = $1", name)
        if row is None:  # another embedder was registered first at the same time
            return await register(connection, name, dimensions)
    return EmbedderRow(*row)


async def move(connection: Connection, embedder: EmbedderRow, *, before: str, after: str) -> None:
    await connection.execute("update embedders set state = $3 where id = $1 and state = $2", embedder.id, before, after)


async def lease(connection: Connection, embedder: EmbedderRow, *, seconds: float, renew: bool) -> bool:
    """Acquire the right to build for these seconds, so that two workers do not do the same work."""
    leased = await connection.fetchval(
        """
        update embedders set leased_until = clock_timestamp() + make_interval(secs => $2)
        where id = $1 and ($3 or leased_until is null or leased_until < clock_timestamp()) returning id
        """,
        embedder.id,
        seconds,
        renew,
    )
    return leased is not None


async def release(connection: Connection, embedder: EmbedderRow) -> None:
    await connection.execute("update embedders set leased_until = null where id = $1", embedder.id)


async def needs_sweep(connection: Connection, embedder: EmbedderRow, *, every_seconds: float) -> bool:
    due: bool | None = await connection.fetchval(
        "select swept_at is null or swept_at < clock_timestamp() - make_interval(secs => $2)"
        " from embedders where id = $1",
        embedder.id,
        every_seconds,
    )
    return bool(due)


async def mark_swept(connection: Connection, embedder: EmbedderRow) -> None:
    await connection.execute("update embedders set swept_at = clock_timestamp() where id = $1", embedder.id)


async def activate(connection: Connection, embedder: EmbedderRow) -> None:
    """Make searches use this embedder."""
    async with connection.transaction():
        await connection.execute(
            "update embedders set state = 'retired' where state = 'active' and id <> $1", embedder.id
        )
        await connection.execute(
            "update embedders set state = 'active', swept_at = clock_timestamp() where id = $1", embedder.id
        )


async def remove(connection: Connection, embedder: EmbedderRow, *, batch: int) -> None:
    """Drop a retired embedder's index, then its vectors in small statements, then its row."""
    await connection.execute(f"drop index concurrently if exists {embedder.index}", timeout=_BUILD_SECONDS)
    while await connection.fetchval(
        """
        with gone as (
            delete from chunk_vectors where embedder_id = $1 and ctid = any(array(
                select ctid from chunk_vectors where embedder_id = $1 limit $2))
            returning 1)
        select count(*) from gone
        """,
        embedder.id,
        batch,
    ):
        pass
    await connection.execute("delete from embedders where id = $1 and state = 'retired'", embedder.id)


async def is_indexed(connection: Connection, embedder: EmbedderRow) -> bool:
    found = await connection.fetchval(
        "select indisvalid from pg_index where indexrelid = to_regclass($1)", embedder.index
    )
    return bool(found)


async def is_large(connection: Connection, embedder: EmbedderRow, *, least: int) -> bool:
    """Whether it has enough vectors to justify an index; small sets are searched exactly."""
    count: int = await connection.fetchval(
        "select count(*) from (select from chunk_vectors where embedder_id = $1 limit $2) as counted",
        embedder.id,
        least,
    )
    return count >= least


async def build_index(connection: Connection, embedder: EmbedderRow) -> None:
    """Build the index without blocking writes. The invalid index of an interrupted build is dropped first."""
    await connection.execute(f"drop index concurrently if exists {embedder.index}", timeout=_BUILD_SECONDS)
    # A graph that fits into memory is built several times faster. Not `set local`, because there is no transaction.
    await connection.execute(f"set maintenance_work_mem = '{_BUILD_MEMORY}'")
    try:
        await connection.execute(
            f"""
            create index concurrently {embedder.index} on chunk_vectors
            using hnsw ((embedding::halfvec({embedder.dimensions})) halfvec_cosine_ops) with ({_HNSW})
            where embedder_id = {embedder.id}
            """,
            timeout=_BUILD_SECONDS,
        )
    finally:
        if not connection.is_closed():
            await connection.execute("reset maintenance_work_mem")
