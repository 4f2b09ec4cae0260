"""A project, and short ways to take slots and spend."""

from uuid import UUID

import pytest

from docsieve.db.access import projects
from docsieve.db.connection.session import Database
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.services.providers.ledger import ProviderLedger


@pytest.fixture
async def project_id(database: Database, scope: Scope) -> UUID:
    async with database.tenant(scope) as session:
        found = await projects.find(session.connection, scope.tenant_id, "default")
    assert found is not None
    return found.id


@pytest.fixture
def ledger(database: Database, scope: Scope, project_id: UUID) -> ProviderLedger:
    return ProviderLedger(database, scope.tenant_id, project_id, new_id(), [new_id()])


async def set_budget(database: Database, table: str, id: UUID, dollars: float | None) -> None:
    async with database.system() as connection:
        await connection.execute(f"update {table} set budget_usd = $2::float8::numeric where id = $1", id, dollars)
