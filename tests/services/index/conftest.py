import pytest

from docsieve.db.connection.session import Database
from tests.services.index.library import Library, new_library


@pytest.fixture
async def library(database: Database) -> Library:
    return await new_library(database)


@pytest.fixture(params=["behind the walls", "by the queries alone"])
async def walls(request: pytest.FixtureRequest, database: Database) -> None:
    """Queries filter by tenant, and row-level security is a second barrier. Each must work without the other."""
    if request.param == "behind the walls":
        return
    async with database.system() as connection:
        isolated = "select tablename from pg_policies where policyname = 'tenant_isolation'"
        for (table,) in await connection.fetch(isolated):
            await connection.execute(f"alter policy tenant_isolation on {table} using (true)")
