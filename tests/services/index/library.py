"""Documents that can be found, put into the database as the end of a reading does."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from docsieve.analysis.search.chunks import chunk_pages
from docsieve.db.access import projects
from docsieve.db.connection.session import Database
from docsieve.db.index.search import NO_FILTERS, Filters
from docsieve.domain.ids import new_id
from docsieve.domain.pages.page import Line, Page
from docsieve.domain.scope import Scope
from docsieve.embeddings.known import KnownEmbedders
from docsieve.embeddings.local import LocalEmbedder
from docsieve.services.access import tenants
from docsieve.services.index import chunk_index, search
from docsieve.services.index.search import Found, Hit

HEIGHT = 12.0


def page(*lines: str, number: int = 1) -> Page:
    """One paragraph per line."""
    boxes = [(50.0, at * 3 * HEIGHT, 500.0, at * 3 * HEIGHT + HEIGHT) for at in range(len(lines))]
    placed = [Line(text, box, block=at) for at, (text, box) in enumerate(zip(lines, boxes, strict=True))]
    return Page(number, 612.0, max(792.0, len(lines) * 3 * HEIGHT + HEIGHT), placed)


@dataclass(frozen=True)
class Library:
    """One tenant's documents."""

    database: Database
    scope: Scope
    known: KnownEmbedders

    async def project(self, name: str) -> UUID:
        async with self.database.tenant(Scope(self.scope.tenant_id)) as session:
            return (await projects.create(session.connection, self.scope.tenant_id, name)).id

    async def add(
        self,
        *pages: Page,
        language: str | None = "en",
        project_id: UUID | None = None,
        sha256: str | None = None,
        **columns: Any,
    ) -> UUID:
        """`columns` are further ones of the document; its content is its own unless `sha256` says otherwise."""
        document_id = new_id()
        columns = {"filename": "a.txt", "media_type": "text/plain", "language": language, **columns}
        async with self.database.tenant(Scope(self.scope.tenant_id)) as session:
            project_id = project_id or await _default_project(self.scope.tenant_id, session.connection)
            names, numbers = ", ".join(columns), ", ".join(f"${at}" for at in range(5, 5 + len(columns)))
            await session.connection.execute(
                f"""insert into documents (id, tenant_id, project_id, size, sha256, status, {names})
                    values ($1, $2, $3, 1, $4, 'ready', {numbers})""",
                document_id,
                self.scope.tenant_id,
                project_id,
                sha256 or str(document_id),
                *columns.values(),
            )
        await self.read(document_id, project_id, *pages, language=language)
        return document_id

    async def read(self, document_id: UUID, project_id: UUID, *pages: Page, language: str | None = "en") -> None:
        chunks = list(chunk_pages(pages))
        tenant_id = self.scope.tenant_id
        prepared = await chunk_index.prepare(
            self.database, self.known, tenant_id, chunks, language=language, project_id=project_id
        )
        async with self.database.tenant(Scope(tenant_id)) as session:
            await prepared.record(session, document_id, project_id)

    async def ask(self, query: str, filters: Filters = NO_FILTERS, *, limit: int = 10) -> Found:
        return await search.find(self.database, self.known, self.scope, query, filters, limit=limit)

    async def found(self, query: str, **filters: Any) -> list[UUID]:
        return [hit.document_id for hit in (await self.ask(query, Filters(**filters))).hits]

    async def first(self, query: str) -> Hit:
        return (await self.ask(query)).hits[0]


async def _default_project(tenant_id: UUID, connection: Any) -> UUID:
    project = await projects.find(connection, tenant_id, tenants.DEFAULT)
    assert project is not None
    return project.id


async def new_library(database: Database, known: KnownEmbedders | None = None) -> Library:
    async with database.system() as connection, connection.transaction():
        tenant = await tenants.create(connection, f"t-{new_id().hex[-12:]}")
    return Library(database, Scope(tenant.id), known or KnownEmbedders(LocalEmbedder()))
