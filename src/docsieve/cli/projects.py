"""`docsieve projects`: manage the projects of a tenant."""

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

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Manage the projects of a tenant directly in the database."
)

Name = Annotated[str, typer.Argument(help="Name of the project.")]
SchemaRef = Annotated[
    str | None, typer.Option("--schema", help="Schema to extract: NAME, NAME@3 for a specific version, auto or none.")
]
ClassSchemas = Annotated[
    list[str] | None,
    typer.Option(
        "--class-schema",
        metavar="CLASS=SCHEMA",
        help="Schema for documents of a class, such as invoice=invoice@3. Nothing after = removes it. Repeatable.",
    ),
]
Engine = Annotated[str | None, typer.Option(help="Extraction engine, such as local or llm.")]
Model = Annotated[str | None, typer.Option(help="Model that engines call, as provider:model.")]
FallbackEngine = Annotated[
    str | None, typer.Option(help="Engine that extracts if the chosen one fails for good or its provider is down.")
]
PromptRef = Annotated[
    str | None, typer.Option("--prompt", help="Prompt for language models: NAME, or NAME@3 for a specific version.")
]
Threshold = Annotated[float | None, typer.Option(help="Fields with a confidence (0 to 1) below this need review.")]
Budget = Annotated[float | None, typer.Option(help="Limit on provider costs per calendar month, in US dollars.")]
Window = Annotated[
    str | None,
    typer.Option(
        "--processing-window",
        metavar="START-END [ZONE] [batches|all]",
        help="Local times between which work is started, such as '22:00-06:00 Europe/Berlin'. For batches, or for all.",
    ),
]
Unset = Annotated[
    list[str] | None,
    typer.Option(
        help="Reset to the server's default: schema, class-schemas, engine, fallback-engine, model, prompt, threshold, "
        "budget or processing-window."
    ),
]

_FIELD_OF = {
    "budget": "budget_usd",
    "class-schemas": "class_schemas",
    "fallback-engine": "fallback_engine",
    "processing-window": "processing_window",
}


@app.command("list")
def list_projects(tenant: OfTenant = DEFAULT, as_json: AsJson = False) -> None:
    """List all projects of a tenant."""

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
    """Create a project in a tenant."""
    wanted = operator.checked(ProjectCreate, name=name)

    async def work(database: Database) -> Project:
        async with operator.as_tenant(database, tenant) as session:
            return await projects.create(session.connection, session.scope.tenant_id, wanted.name)

    _show_one(operator.run(work), tenant)


@app.command("show")
def show_project(name: Name, tenant: OfTenant = DEFAULT) -> None:
    """Show one project with its defaults."""

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
    class_schema: ClassSchemas = None,
    engine: Engine = None,
    fallback_engine: FallbackEngine = None,
    model: Model = None,
    prompt: PromptRef = None,
    threshold: Threshold = None,
    budget: Budget = None,
    processing_window: Window = None,
    unset: Unset = None,
    tenant: OfTenant = DEFAULT,
) -> None:
    """Change the project's defaults for uploads and extractions. Other defaults keep their value."""
    given = {
        "schema": schema,
        "engine": engine,
        "fallback_engine": fallback_engine,
        "model": model,
        "prompt": prompt,
        "threshold": threshold,
    }
    said: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if budget is not None:
        said["budget_usd"] = budget
    if class_schema:
        said["class_schemas"] = dict(map(_class_and_schema, class_schema))
    if processing_window is not None:
        said["processing_window"] = _window(processing_window)
    said.update({_FIELD_OF.get(each, each): None for each in unset or ()})
    if not said:
        raise Invalid("Nothing to change: give at least one option.")
    wanted = operator.checked(ProjectUpdate, **said)
    settings = load_settings()

    async def work(database: Database) -> Project:
        async with operator.as_tenant(database, tenant) as session:
            return await service.configure(session, settings, name, wanted.changes())

    _show_one(operator.run(work), tenant)


@app.command("delete")
def delete_project(name: Name, tenant: OfTenant = DEFAULT) -> None:
    """Delete an empty project and the keys restricted to it."""

    async def work(database: Database) -> None:
        async with operator.as_tenant(database, tenant) as session:
            if not await projects.delete(session, name):
                raise NotFound(f"Tenant {tenant} has no project named {name}.")

    operator.run(work)
    print(f"Project {name} deleted.")


def _class_and_schema(given: str) -> tuple[str, str | None]:
    name, equals, schema = given.partition("=")
    if not equals:
        raise Invalid(f"--class-schema {given}: write it as CLASS=SCHEMA.")
    return name, schema or None


def _window(given: str) -> dict[str, str]:
    times, *rest = given.split()
    start, dash, end = times.partition("-")
    applies_to = rest.pop() if rest and rest[-1] in ("batches", "all") else "batches"
    if not dash or len(rest) > 1:
        raise Invalid(f"--processing-window {given}: write it as START-END [ZONE] [batches|all].")
    return {"start": start, "end": end, "time_zone": rest[0] if rest else "UTC", "applies_to": applies_to}


def _show_one(project: Project, tenant: str) -> None:
    show_fields(
        {
            "name": project.name,
            "tenant": tenant,
            "schema": project.schema_ref,
            "class schemas": ", ".join(f"{name}={schema}" for name, schema in sorted(project.class_schemas.items())),
            "engine": project.engine,
            "fallback engine": project.fallback_engine,
            "model": project.model,
            "prompt": project.prompt_ref,
            "threshold": project.threshold,
            "budget": f"{project.budget_usd:g} USD per month" if project.budget_usd is not None else None,
            "processing window": project.processing_window,
            "created": project.created_at,
            "id": project.id,
        }
    )
