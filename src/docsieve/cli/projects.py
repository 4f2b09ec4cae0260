"""`docsieve projects`: the walls inside a tenant."""

from typing import Annotated

import typer

from docsieve.api.wire import ProjectCreate, ProjectRead
from docsieve.cli import operator
from docsieve.cli.options import AsJson, OfTenant, print_json
from docsieve.cli.tables import show_empty, show_fields, show_table
from docsieve.db import projects
from docsieve.db.projects import Project
from docsieve.db.session import Database
from docsieve.errors import NotFound
from docsieve.services.tenants import DEFAULT

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Projects of a tenant, straight from the database.")

Name = Annotated[str, typer.Argument(help="the project's name")]


@app.command("list")
def list_projects(tenant: OfTenant = DEFAULT, as_json: AsJson = False) -> None:
    """All projects of a tenant."""

    async def work(database: Database) -> list[Project]:
        async with operator.as_tenant(database, tenant) as session:
            return await projects.list_all(session)

    found = operator.run(work)
    if as_json:
        return print_json(map(ProjectRead.model_validate, found))
    if not found:
        return show_empty("projects")
    rows = [(each.name, each.created_at, each.id) for each in found]
    return show_table(["name", "created", "id"], rows, whole=["name", "id"])


@app.command("create")
def create_project(name: Name, tenant: OfTenant = DEFAULT) -> None:
    """A project in a tenant."""
    wanted = operator.checked(ProjectCreate, name=name)

    async def work(database: Database) -> Project:
        async with operator.as_tenant(database, tenant) as session:
            return await projects.create(session.connection, session.scope.tenant_id, wanted.name)

    project = operator.run(work)
    show_fields({"name": project.name, "tenant": tenant, "created": project.created_at, "id": project.id})


@app.command("delete")
def delete_project(name: Name, tenant: OfTenant = DEFAULT) -> None:
    """Only an empty project can go; keys limited to it go with it."""

    async def work(database: Database) -> None:
        async with operator.as_tenant(database, tenant) as session:
            if not await projects.delete(session, name):
                raise NotFound(f"Tenant {tenant} has no project named {name}.")

    operator.run(work)
    print(f"Project {name} is deleted.")
