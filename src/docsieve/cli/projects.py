"""`docsieve projects`: the walls inside a tenant."""

from typing import Annotated, Any

import typer

from docsieve.api.wire.projects import ProjectCreate, ProjectRead, ProjectUpdate
from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.options import AsJson, OfTenant, print_json
from docsieve.cli.console.tables import show_empty, show_fields, show_table
from docsieve.cli.server import operator
from docsieve.db.access import projects
from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Database
from docsieve.errors import Invalid, NotFound
from docsieve.services.access import projects as service
from docsieve.services.access.tenants import DEFAULT

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Projects of a tenant, straight from the database.")

Name = Annotated[str, typer.Argument(help="the project's name")]
SchemaRef = Annotated[str | None, typer.Option("--schema", help="what is extracted: NAME, or NAME@3 for one version")]
Engine = Annotated[str | None, typer.Option(help="which engine extracts, such as local or llm")]
Model = Annotated[str | None, typer.Option(help="which model an engine asks, as provider:model")]
PromptRef = Annotated[str | None, typer.Option("--prompt", help="what the model is told beyond the schema")]
Threshold = Annotated[float | None, typer.Option(help="below this confidence, of 0 to 1, a field needs review")]
Budget = Annotated[float | None, typer.Option(help="what models may cost in a calendar month, in US dollars")]
Unset = Annotated[
    list[str] | None, typer.Option(help="leave schema, engine, model, prompt, threshold or budget to the server again")
]


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
    rows = [(each.name, each.schema_ref, each.engine, each.created_at, each.id) for each in found]
    return show_table(["name", "schema", "engine", "created", "id"], rows, whole=["name", "id"])


@app.command("create")
def create_project(name: Name, tenant: OfTenant = DEFAULT) -> None:
    """A project in a tenant."""
    wanted = operator.checked(ProjectCreate, name=name)

    async def work(database: Database) -> Project:
        async with operator.as_tenant(database, tenant) as session:
            return await projects.create(session.connection, session.scope.tenant_id, wanted.name)

    _show_one(operator.run(work), tenant)


@app.command("show")
def show_project(name: Name, tenant: OfTenant = DEFAULT) -> None:
    """One project with its defaults."""

    async def work(database: Database) -> Project:
        async with operator.as_tenant(database, tenant) as session:
            project = await projects.find(session.connection, session.scope.tenant_id, name)
        if project is None:
            raise NotFound(f"Tenant {tenant} has no project named {name}.")
        return project

    _show_one(operator.run(work), tenant)


@app.command("set")
def set_defaults(
    name: Name,
    schema: SchemaRef = None,
    engine: Engine = None,
    model: Model = None,
    prompt: PromptRef = None,
    threshold: Threshold = None,
    budget: Budget = None,
    unset: Unset = None,
    tenant: OfTenant = DEFAULT,
) -> None:
    """What is done with the project's documents unless told otherwise; what is not named stays as it is."""
    given = {"schema": schema, "engine": engine, "model": model, "prompt": prompt, "threshold": threshold}
    said: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if budget is not None:
        said["budget_usd"] = budget
    said.update({"budget_usd" if each == "budget" else each: None for each in unset or ()})
    if not said:
        raise Invalid("Say what to set.")
    wanted = operator.checked(ProjectUpdate, **said)
    settings = load_settings()

    async def work(database: Database) -> Project:
        async with operator.as_tenant(database, tenant) as session:
            return await service.configure(session, settings, name, wanted.changes())

    _show_one(operator.run(work), tenant)


@app.command("delete")
def delete_project(name: Name, tenant: OfTenant = DEFAULT) -> None:
    """Only an empty project can go; keys limited to it go with it."""

    async def work(database: Database) -> None:
        async with operator.as_tenant(database, tenant) as session:
            if not await projects.delete(session, name):
                raise NotFound(f"Tenant {tenant} has no project named {name}.")

    operator.run(work)
    print(f"Project {name} is deleted.")


def _show_one(project: Project, tenant: str) -> None:
    show_fields(
        {
            "name": project.name,
            "tenant": tenant,
            "schema": project.schema_ref,
            "engine": project.engine,
            "model": project.model,
            "prompt": project.prompt_ref,
            "threshold": project.threshold,
            "budget": f"{project.budget_usd:g} USD a month" if project.budget_usd is not None else None,
            "created": project.created_at,
            "id": project.id,
        }
    )
