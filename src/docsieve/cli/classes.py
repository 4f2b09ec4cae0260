"""`docsieve classes`: manage the document classes of a tenant."""

from typing import Annotated

import typer

from docsieve.api.wire.definitions.classes import ClassCreate, ClassRead, all_classes
from docsieve.cli.console.options import AsJson, OfTenant, print_json
from docsieve.cli.console.tables import show_fields, show_table
from docsieve.cli.server import operator
from docsieve.db.connection.session import Database
from docsieve.db.definitions import classes as own_classes
from docsieve.db.definitions.classes import OwnClass
from docsieve.services.access.tenants import DEFAULT
from docsieve.services.definitions import classes

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Manage document classes directly in the database.")

Name = Annotated[str, typer.Argument(help="Name of the class.")]
Description = Annotated[
    str, typer.Argument(help="What these documents are, including words that typically appear on them.")
]


@app.command("list")
def list_classes(tenant: OfTenant = DEFAULT, as_json: AsJson = False) -> None:
    """List the built-in classes and the tenant's own."""

    async def work(database: Database) -> list[ClassRead]:
        async with operator.as_tenant(database, tenant) as session:
            return all_classes(await own_classes.list_own(session))

    found = operator.run(work)
    if as_json:
        return print_json(found)
    rows = [(each.name, "built-in" if each.built_in else "own", each.description) for each in found]
    return show_table(["name", "whose", "description"], rows, whole=["name"])


@app.command("add")
def add_class(name: Name, description: Description, tenant: OfTenant = DEFAULT) -> None:
    """Add a class. It applies to documents that are read from now on."""
    wanted = operator.checked(ClassCreate, name=name, description=description)

    async def work(database: Database) -> OwnClass:
        async with operator.as_tenant(database, tenant) as session:
            return await classes.add(session, wanted.name, wanted.description)

    added = operator.run(work)
    show_fields({"name": added.name, "tenant": tenant, "description": added.description, "created": added.created_at})


@app.command("remove")
def remove_class(name: Name, tenant: OfTenant = DEFAULT) -> None:
    """Remove a class. Documents that were assigned to it keep its name."""

    async def work(database: Database) -> None:
        async with operator.as_tenant(database, tenant) as session:
            await classes.remove(session, name)

    operator.run(work)
    print(f"Class {name} removed.")
