"""Projects of the caller's tenant."""

from fastapi import APIRouter, Response

from docsieve.api.access import Admin, Reader, Session
from docsieve.api.problems import COMMON, problems
from docsieve.api.text import Name
from docsieve.api.wire import ProjectCreate, ProjectRead
from docsieve.db import projects
from docsieve.db.projects import Project
from docsieve.errors import Forbidden, NameTaken, NotFound, ProjectNotEmpty

router = APIRouter(prefix="/projects", tags=["admin"], responses=COMMON)


@router.get("", response_model=list[ProjectRead])
async def list_projects(caller: Reader, session: Session) -> list[Project]:
    return await projects.list_all(session)


@router.post("", response_model=ProjectRead, status_code=201, responses=problems(NameTaken))
async def create_project(body: ProjectCreate, caller: Admin, session: Session) -> Project:
    if caller.scope.project_id is not None:
        raise Forbidden("This key is limited to one project.")
    return await projects.create(session.connection, caller.scope.tenant_id, body.name)


@router.get("/{name}", response_model=ProjectRead, responses=problems(NotFound))
async def get_project(name: Name, caller: Reader, session: Session) -> Project:
    project = await projects.find(session.connection, caller.scope.tenant_id, name)
    if project is None:
        raise NotFound("There is no such project.")
    return project


@router.delete("/{name}", status_code=204, responses=problems(NotFound, ProjectNotEmpty))
async def delete_project(name: Name, caller: Admin, session: Session) -> Response:
    """Only an empty project can go; keys limited to it go with it."""
    if not await projects.delete(session, name):
        raise NotFound("There is no such project.")
    return Response(status_code=204)
