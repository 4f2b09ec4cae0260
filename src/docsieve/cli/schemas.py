"""`docsieve schemas`: manage the versioned schemas of a tenant."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from docsieve.api.wire.definitions.schemas import SchemaCreate, SchemaFacts, schema_checked, schema_facts
from docsieve.api.wire.definitions.versions import UseVersion
from docsieve.cli.console.options import AsJson, OfTenant, print_json
from docsieve.cli.console.tables import show_fields, show_table
from docsieve.cli.extract.schema_sources import schema_from
from docsieve.cli.server import operator
from docsieve.db.connection.session import Database
from docsieve.domain.schemas.fields import fields_of
from docsieve.domain.schemas.refs import SchemaRef
from docsieve.errors import NotFound
from docsieve.services.access.tenants import DEFAULT
from docsieve.services.definitions import schemas
from docsieve.services.definitions.schemas import SchemaVersion

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Manage the schemas of a tenant directly in the database."
)

Name = Annotated[str, typer.Argument(help="Name of the schema.")]
Ref = Annotated[str, typer.Argument(help="NAME for the current version, or NAME@3 for a specific one.")]
File = Annotated[Path | None, typer.Argument(help="JSON Schema file, or - for stdin.")]
FromExample = Annotated[
    Path | None, typer.Option("--from-example", help="JSON file with an example of the value to extract.")
]
FromFields = Annotated[
    Path | None,
    typer.Option("--from-fields", help="CSV or JSON file with the name, type and description of each field."),
]
FromModel = Annotated[str | None, typer.Option("--from-model", help="Pydantic model, as package.module:Class.")]
Note = Annotated[str | None, typer.Option(help="What changed in this version.")]
MakeCurrent = Annotated[bool, typer.Option(help="Whether this becomes the current version of the name.")]
VersionNumber = Annotated[int, typer.Argument(help="Version number. 0 is the built-in version.")]


@app.command("list")
def list_schemas(tenant: OfTenant = DEFAULT, as_json: AsJson = False) -> None:
    """List the current version of each schema, including built-in schemas."""

    async def work(database: Database) -> list[SchemaVersion]:
        async with operator.as_tenant(database, tenant) as session:
            return await schemas.list_current(session)

    _show(map(schema_facts, operator.run(work)), as_json=as_json)


@app.command("versions")
def list_versions(name: Name, tenant: OfTenant = DEFAULT, as_json: AsJson = False) -> None:
    """List all versions of a schema, newest first, even if it was removed."""

    async def work(database: Database) -> list[SchemaVersion]:
        async with operator.as_tenant(database, tenant) as session:
            return await schemas.list_versions(session, name)

    found = operator.run(work)
    if not found:
        raise NotFound(f"Tenant {tenant} has no schema named {name}.")
    _show(map(schema_facts, found), as_json=as_json)


@app.command("show")
def show_schema(ref: Ref, tenant: OfTenant = DEFAULT) -> None:
    """Print a schema as JSON."""

    async def work(database: Database) -> schemas.ResolvedSchema:
        async with operator.as_tenant(database, tenant) as session:
            return await schemas.resolve(session, ref)

    print(json.dumps(operator.run(work).schema, indent=2, ensure_ascii=False))


@app.command("add")
def add_schema(
    name: Name,
    file: File = None,
    from_example: FromExample = None,
    from_fields: FromFields = None,
    from_model: FromModel = None,
    note: Note = None,
    make_current: MakeCurrent = True,
    tenant: OfTenant = DEFAULT,
) -> None:
    """Create the first or the next version of a schema."""
    made = schema_from(schema=file, example=from_example, fields=from_fields, model=from_model)
    warnings = schemas.check(made)
    wanted = operator.checked(SchemaCreate, name=name, schema=made, note=note, make_current=make_current)

    async def work(database: Database) -> SchemaVersion:
        async with operator.as_tenant(database, tenant) as session:
            return await schemas.add(session, wanted.name, made, note=wanted.note, make_current=wanted.make_current)

    _warn(warnings)
    _show_one(operator.run(work), tenant)


@app.command("use")
def use_version(name: Name, version: VersionNumber, tenant: OfTenant = DEFAULT) -> None:
    """Make this version the current one."""
    wanted = operator.checked(UseVersion, version=version)

    async def work(database: Database) -> SchemaVersion:
        async with operator.as_tenant(database, tenant) as session:
            return await schemas.use(session, name, wanted.version)

    _show_one(operator.run(work), tenant)


@app.command("remove")
def remove_schema(name: Name, tenant: OfTenant = DEFAULT) -> None:
    """Remove a schema. Its versions can still be used by number, because extractions refer to them."""

    async def work(database: Database) -> None:
        async with operator.as_tenant(database, tenant) as session:
            await schemas.remove(session, name)

    operator.run(work)
    print(f"Schema {name} removed.")


@app.command("check")
def check_schema(
    file: File = None,
    from_example: FromExample = None,
    from_fields: FromFields = None,
    from_model: FromModel = None,
    as_json: AsJson = False,
) -> None:
    """Validate a schema and show its fields and warnings. Nothing is stored, and no server is needed."""
    made = schema_from(schema=file, example=from_example, fields=from_fields, model=from_model)
    warnings = schemas.check(made)
    if as_json:
        return print(schema_checked(made, warnings).model_dump_json(indent=2))
    _warn(warnings)
    rows = [
        (each.pattern, each.kind, each.format, "yes" if each.required else None, each.description)
        for each in fields_of(made)
    ]
    return show_table(["field", "type", "format", "required", "description"], rows, whole=["field"])


def _show(found: "map[SchemaFacts]", *, as_json: bool) -> None:
    if as_json:
        return print_json(found)
    rows = [
        (
            SchemaRef(each.name, each.version),
            "ready-made" if each.ready else "own",
            "yes" if each.current else "no",
            each.field_count,
            each.created_at,
            each.note or each.description,
        )
        for each in found
    ]
    return show_table(["schema", "whose", "current", "fields", "created", "about"], rows, whole=["schema"])


def _show_one(found: SchemaVersion, tenant: str) -> None:
    show_fields(
        {
            "schema": SchemaRef(found.name, found.version),
            "tenant": tenant,
            "current": "yes" if found.current else "no",
            "fields": len(fields_of(found.schema)),
            "note": found.note,
            "created": found.created_at,
        }
    )


def _warn(warnings: list[str]) -> None:
    for warning in warnings:
        print(f"warning: {warning}", file=sys.stderr)
