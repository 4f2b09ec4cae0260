"""Looks up a tenant's projects by name and changes their defaults."""

from typing import Any
from uuid import UUID

from docsieve.db.access import projects
from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Session
from docsieve.errors import NotFound, UnknownProject
from docsieve.services import engines
from docsieve.services.definitions import prompts, schemas
from docsieve.settings import Settings


async def find(session: Session, name: str) -> Project:
    """Raises UnknownProject."""
    project = await projects.find(session.connection, session.scope.tenant_id, name)
    if project is None:
        raise UnknownProject(f"Project {name} not found.")
    return project


async def resolve(session: Session, name: str) -> UUID:
    """Raises UnknownProject."""
    return (await find(session, name)).id


async def configure(session: Session, settings: Settings, name: str, changes: dict[str, Any]) -> Project:
    """Set the defaults named in `changes` (see `projects.DEFAULTS`). None restores the server's default.

    They apply to new uploads and extractions. The schema and the prompt must exist, and the engine must be available
    with the project's model.
    """
    if changes.get("schema_ref") is not None:
        await schemas.resolve(session, changes["schema_ref"])
    if changes.get("prompt_ref") is not None:
        await prompts.resolve(session, changes["prompt_ref"])
    project = await projects.set_defaults(session, name, changes)
    if project is None:
        raise NotFound("Project not found.")
    if project.engine is not None and not changes.keys().isdisjoint(("engine", "model")):
        engines.check_configured(settings, project.engine, model=project.model)
    return project
