"""db/schema.sql, which people read, and the migrations, which run, describe the same database."""

import asyncpg
from deploy.schema import SCHEMA, dump_schema

from docsieve.domain.ids import new_id


async def test_the_migrations_create_what_the_schema_file_shows(database_url: str) -> None:
    assert dump_schema(database_url) == SCHEMA.read_text(), "run `make schema`"


async def test_the_schema_file_creates_what_it_shows(postgres: str) -> None:
    name = f"t_{new_id().hex}"
    server = await asyncpg.connect(postgres)
    await server.execute(f"create database {name}")
    url = postgres.replace("/docsieve?", f"/{name}?")
    try:
        connection = await asyncpg.connect(url)
        await connection.execute(SCHEMA.read_text())
        await connection.close()
        assert dump_schema(url) == SCHEMA.read_text()
    finally:
        await server.execute(f"drop database {name} with (force)")
        await server.close()
