"""Projects of the caller's tenant."""

from fastapi import Response

from docsieve.api.access import Admin, Caller, Reader, Resources, Session
from docsieve.api.cursors import Limit, SortedCursor, cut
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name
from docsieve.api.wire.projects import ProjectCreate, ProjectDefaults, ProjectPage, ProjectRead, ProjectUpdate
from docsieve.db.access import projects as rows
from docsieve.db.access.projects import Project
from docsieve.errors import Forbidden, Invalid, NameTaken, NotFound, ProjectNotEmpty
from docsieve.errors.extractions import UnknownPrompt, UnknownSchema
from docsieve.errors.retention import LegalHold
from docsieve.services.access import projects
from docsieve.services.engines import UNUSABLE

router = Router(prefix="/projects", tags=["admin"], responses=COMMON)

_UNKNOWN = (Invalid, UnknownSchema, UnknownPrompt, *UNUSABLE)


@router.get("", response_model=ProjectPage)
async def list_projects(
    caller: Reader, session: Session, cursor: SortedCursor = None, limit: Limit = 50
) -> ProjectPage:
    """List projects, sorted by name."""
    page, following = cut(await rows.list_all(session), lambda each: (each.name,), cursor, limit)
    return ProjectPage(projects=[ProjectRead.model_validate(each) for each in page], next_cursor=following)


@router.post("", response_model=ProjectRead, status_code=201, responses=problems(NameTaken, *_UNKNOWN))
async def create_project(body: ProjectCreate, caller: Admin, session: Session, resources: Resources) -> Project:
    """Create a project, optionally with defaults."""
    if caller.scope.project_id is not None:
        raise Forbidden("This key is restricted to one project.")
    project = await projects.create(session, body.name)
    if not body.changes():
        return project
    return await projects.configure(session, resources.settings, body.name, body.changes())


@router.get("/{name}", response_model=ProjectRead, responses=problems(NotFound))
async def get_project(name: Name, caller: Reader, session: Session) -> Project:
    """Get one project."""
    project = await rows.find(session.connection, caller.scope.tenant_id, name)
    if project is None:
        raise NotFound("Project not found.")
    return project


@router.patch("/{name}", response_model=ProjectRead, responses=problems(NotFound, *_UNKNOWN))
async def set_project_defaults(
    name: Name, body: ProjectUpdate, caller: Admin, session: Session, resources: Resources
) -> Project:
    """Change the project's defaults for new uploads and extractions. Omitted fields keep their value."""
    _check_own_budget(body, caller)
    return await projects.configure(session, resources.settings, name, body.changes())


@router.delete("/{name}", status_code=204, responses=problems(NotFound, ProjectNotEmpty, LegalHold))
async def delete_project(name: Name, caller: Admin, session: Session) -> Response:
    """Delete an empty project and the keys restricted to it."""
    await projects.delete(session, name)
    return Response(status_code=204)


def _check_own_budget(body: ProjectDefaults, caller: Caller) -> None:
    if "budget_usd" in body.changes() and caller.scope.project_id is not None:
        raise Forbidden("Setting a budget requires a key that is not restricted to a project.")
