"""Projects by name, as seen from one tenant."""

from uuid import UUID

from docsieve.db import projects
from docsieve.db.session import Session
from docsieve.errors import Invalid


class UnknownProject(Invalid):
    """There is no such project."""

    code = "unknown_project"


async def resolve(session: Session, name: str) -> UUID:
    project = await projects.find(session.connection, session.scope.tenant_id, name)
    if project is None:
        raise UnknownProject(f"There is no project named {name}.")
    return project.id
