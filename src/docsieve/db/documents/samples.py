"""Finds sample documents that a project already has."""

from uuid import UUID

from docsieve.db.connection.session import Session


async def find(session: Session, project: str, sha256: str) -> UUID | None:
    """The project's oldest document with this content."""
    found: UUID | None = await session.connection.fetchval(
        """
        select documents.id from documents join projects on projects.id = documents.project_id
        where documents.tenant_id = $1 and projects.name = $2 and sha256 = $3 order by documents.id limit 1
        """,
        session.scope.tenant_id,
        project,
        sha256,
    )
    return found
