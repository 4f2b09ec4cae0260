"""Tenants with documents, made without uploads: only what search reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.access import projects
from docsieve.db.connection.session import Database
from docsieve.domain.ids import new_id
from docsieve.domain.pages.chunks import Chunk
from docsieve.domain.scope import Scope
from docsieve.embeddings.known import KnownEmbedders
from docsieve.services.access import tenants
from docsieve.services.index import chunk_index
from docsieve.services.index.chunk_index import Prepared


@dataclass(frozen=True)
class BenchTenant:
    scope: Scope
    project_id: UUID


async def new_tenant(database: Database, name: str) -> BenchTenant:
    async with database.system() as connection, connection.transaction():
        tenant = await tenants.create(connection, name)
        project = await projects.find(connection, tenant.id, tenants.DEFAULT)
    assert project is not None
    return BenchTenant(Scope(tenant.id), project.id)


async def add_document(database: Database, known: KnownEmbedders, tenant: BenchTenant, chunks: Sequence[Chunk]) -> UUID:
    prepared = await chunk_index.prepare(
        database, known, tenant.scope.tenant_id, chunks, language="en", project_id=tenant.project_id
    )
    return await record(database, tenant, prepared)


async def record(database: Database, tenant: BenchTenant, prepared: Prepared) -> UUID:
    document_id = new_id()
    async with database.tenant(tenant.scope) as session:
        await session.connection.execute(
            """
            insert into documents (id, tenant_id, project_id, filename, media_type, size, sha256, status)
            values ($1, $2, $3, 'bench.txt', 'text/plain', 1, $4, 'ready')
            """,
            document_id,
            tenant.scope.tenant_id,
            tenant.project_id,
            document_id.hex,
        )
        await prepared.record(session, document_id, tenant.project_id)
    return document_id
