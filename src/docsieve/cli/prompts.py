"""`docsieve prompts`: manage the versioned prompts of a tenant."""

from pathlib import Path
from typing import Annotated

import typer

from docsieve.api.wire.definitions.prompts import PromptCreate, PromptRead
from docsieve.api.wire.definitions.versions import UseVersion
from docsieve.cli.console.options import AsJson, OfTenant, print_json
from docsieve.cli.console.tables import show_empty, show_fields, show_table
from docsieve.cli.extract.schema_sources import read_text
from docsieve.cli.server import operator
from docsieve.db.connection.session import Database
from docsieve.db.definitions.versions import PROMPTS, Version
from docsieve.domain.schemas.refs import PromptRef
from docsieve.errors import NotFound
from docsieve.services.access.tenants import DEFAULT
from docsieve.services.definitions import prompts

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Manage the prompts of a tenant directly in the database."
)

Name = Annotated[str, typer.Argument(help="Name of the prompt.")]
Ref = Annotated[str, typer.Argument(help="NAME for the current version, or NAME@3 for a specific one.")]
File = Annotated[Path, typer.Argument(help="Text file with the template, or - for stdin.")]
Note = Annotated[str | None, typer.Option(help="What changed in this version.")]
MakeCurrent = Annotated[bool, typer.Option(help="Whether this becomes the current version of the name.")]
VersionNumber = Annotated[int, typer.Argument(help="Version number.")]


@app.command("list")
def list_prompts(tenant: OfTenant = DEFAULT, as_json: AsJson = False) -> None:
    """List the current version of each prompt."""

    async def work(database: Database) -> list[Version]:
        async with operator.as_tenant(database, tenant) as session:
            return await PROMPTS.list_current(session)

    _show(operator.run(work), as_json=as_json)


@app.command("versions")
def list_versions(name: Name, tenant: OfTenant = DEFAULT, as_json: AsJson = False) -> None:
    """List all versions of a prompt, newest first, even if it was removed."""

    async def work(database: Database) -> list[Version]:
        async with operator.as_tenant(database, tenant) as session:
            return await PROMPTS.list_versions(session, name)

    found = operator.run(work)
    if not found:
        raise NotFound(f"Tenant {tenant} has no prompt named {name}.")
    _show(found, as_json=as_json)


@app.command("show")
def show_prompt(ref: Ref, tenant: OfTenant = DEFAULT) -> None:
    """Print the template of a prompt."""

    async def work(database: Database) -> prompts.ResolvedPrompt:
        async with operator.as_tenant(database, tenant) as session:
            return await prompts.resolve(session, ref)

    print(operator.run(work).content)


@app.command("add")
def add_prompt(
    name: Name, file: File, note: Note = None, make_current: MakeCurrent = True, tenant: OfTenant = DEFAULT
) -> None:
    """Create the first or the next version of a prompt."""
    template = read_text(file).strip()
    wanted = operator.checked(PromptCreate, name=name, template=template, note=note, make_current=make_current)

    async def work(database: Database) -> Version:
        async with operator.as_tenant(database, tenant) as session:
            return await prompts.add(
                session, wanted.name, wanted.template, note=wanted.note, make_current=wanted.make_current
            )

    _show_one(operator.run(work), tenant)


@app.command("use")
def use_version(name: Name, version: VersionNumber, tenant: OfTenant = DEFAULT) -> None:
    """Make this version the current one."""
    wanted = operator.checked(UseVersion, version=version)

    async def work(database: Database) -> Version:
        async with operator.as_tenant(database, tenant) as session:
            return await prompts.use(session, name, wanted.version)

    _show_one(operator.run(work), tenant)


@app.command("remove")
def remove_prompt(name: Name, tenant: OfTenant = DEFAULT) -> None:
    """Remove a prompt. Its versions can still be used by number, because extractions refer to them."""

    async def work(database: Database) -> None:
        async with operator.as_tenant(database, tenant) as session:
            await prompts.remove(session, name)

    operator.run(work)
    print(f"Prompt {name} removed.")


def _show(found: list[Version], *, as_json: bool) -> None:
    if as_json:
        return print_json(map(PromptRead.of, found))
    if not found:
        return show_empty("prompts")
    rows = [
        (PromptRef(each.name, each.version), "yes" if each.current else "no", each.created_at, each.note, each.content)
        for each in found
    ]
    return show_table(["prompt", "current", "created", "note", "template"], rows, whole=["prompt"])


def _show_one(found: Version, tenant: str) -> None:
    show_fields(
        {
            "prompt": PromptRef(found.name, found.version),
            "tenant": tenant,
            "current": "yes" if found.current else "no",
            "note": found.note,
            "created": found.created_at,
        }
    )
