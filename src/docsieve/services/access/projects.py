"""Looks up a tenant's projects by name and changes their defaults."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from docsieve.db.access import projects
from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Session
from docsieve.db.definitions import classes
from docsieve.domain.classes import BUILT_IN_NAMES
from docsieve.domain.schemas.choice import RESERVED
from docsieve.errors import Invalid, NotFound, UnknownProject
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

    They apply to new uploads and extractions. Schemas, classes and the prompt must exist, and the engines must be
    available with the project's model.
    """
    if changes.get("schema_ref") is not None and changes["schema_ref"] not in RESERVED:
        await schemas.resolve(session, changes["schema_ref"])
    if changes.get("class_schemas") is not None:
        await _check_class_schemas(session, changes["class_schemas"])
    if changes.get("prompt_ref") is not None:
        await prompts.resolve(session, changes["prompt_ref"])
    window = changes.get("processing_window")
    if window is not None and not await projects.is_time_zone(session, window.time_zone):
        raise Invalid(f"processing_window: Time zone {window.time_zone} not found.")
    project = await projects.set_defaults(session, name, changes)
    if project is None:
        raise NotFound("Project not found.")
    if project.engine is not None and not changes.keys().isdisjoint(("engine", "model")):
        engines.check_configured(settings, project.engine, model=project.model)
    if project.fallback_engine is not None and not changes.keys().isdisjoint(("fallback_engine", "model")):
        engines.check_configured(settings, project.fallback_engine, model=project.model)
    return project


async def _check_class_schemas(session: Session, changes: Mapping[str, str | None]) -> None:
    """Raises Invalid for an unknown class, and UnknownSchema."""
    added = {name: schema for name, schema in changes.items() if schema is not None}
    known = BUILT_IN_NAMES | {each.name for each in await classes.descriptions(session)}
    for name, schema in added.items():
        if name not in known:
            raise Invalid(f"class_schemas: Class {name} not found.")
        await schemas.resolve(session, schema)
