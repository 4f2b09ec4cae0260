"""`docsieve tenants`: manage the tenants of this server."""

import json
from collections.abc import Mapping
from typing import Annotated
from uuid import UUID

import typer

from docsieve.api.wire.tenants import TenantCreate, TenantRead, TenantUpdate
from docsieve.cli.console.options import AsJson, print_json
from docsieve.cli.console.tables import show_fields, show_table
from docsieve.cli.server import operator
from docsieve.db.access import keys, projects, tenants
from docsieve.db.access.tenants import Tenant
from docsieve.db.connection.session import Database
from docsieve.db.queue import job_records
from docsieve.db.queue.job_records import JobFilter
from docsieve.db.retention import tenant_deletions
from docsieve.db.retention.tenant_deletions import TenantDeletion
from docsieve.errors import NotFound, Unavailable
from docsieve.limits import parse_quotas
from docsieve.services.access import tenants as service
from docsieve.services.retention import tenant_deletion
from docsieve.settings import split_pairs

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Manage the tenants of this server directly in the database."
)

Name = Annotated[str, typer.Argument(help="Name of the tenant.")]
Weight = Annotated[float, typer.Option(help="Share of the worker capacity, relative to other tenants.")]


@app.command("list")
def list_tenants(as_json: AsJson = False) -> None:
    """List all tenants."""

    async def work(database: Database) -> list[Tenant]:
        async with database.system() as connection:
            return await tenants.list_all(connection)

    found = operator.run(work)
    if as_json:
        return print_json(map(TenantRead.model_validate, found))
    return show_table(
        ["name", "weight", "created", "id"],
        [(each.name, f"{each.weight:g}", each.created_at, each.id) for each in found],
        whole=["name", "id"],
    )


@app.command("create")
def create_tenant(name: Name, weight: Weight = 1.0) -> None:
    """Create a tenant with a project `default`. Create its first key with `docsieve keys create --tenant NAME`."""
    wanted = operator.checked(TenantCreate, name=name, weight=weight)

    async def work(database: Database) -> Tenant:
        by = await operator.own_scope(database)
        async with database.system() as connection, connection.transaction():
            return await service.create(connection, wanted.name, weight=wanted.weight, by=by)

    _show_one(operator.run(work))


@app.command("show")
def show_tenant(name: Name) -> None:
    """Show one tenant with its projects, keys and jobs."""

    async def work(database: Database) -> dict[str, object]:
        tenant = await operator.find_tenant(database, name)
        async with operator.as_tenant(database, name) as session:
            jobs = await job_records.count_by_status(session, JobFilter())
            usable = [key for key in await keys.list_all(session) if key.revoked_at is None]
            return {
                **_fields(tenant),
                "projects": [project.name for project in await projects.list_all(session)],
                "keys": f"{len(usable)} not revoked",
                "jobs": ", ".join(f"{count} {status}" for status, count in jobs.items() if count) or "none",
            }

    show_fields(operator.run(work))


@app.command("set-weight")
def set_weight(
    name: Name, weight: Annotated[float, typer.Argument(help="Weight, for example 2 for a double share.")]
) -> None:
    """Change a tenant's share of the worker capacity for new jobs."""
    _update(name, operator.checked(TenantUpdate, weight=weight))


@app.command("set-budget")
def set_budget(
    name: Name, usd: Annotated[float | None, typer.Argument(help="US dollars per month. Omit it for no limit.")] = None
) -> None:
    """Change a tenant's monthly limit on provider costs. Work that would exceed it is rejected."""
    _update(name, operator.checked(TenantUpdate, budget_usd=usd))


@app.command("set-limits")
def set_limits(
    name: Name,
    limits: Annotated[
        str, typer.Argument(help="As in DOCSIEVE_LIMITS: requests=50/s,uploads=4. Omit it for the server's limits.")
    ] = "",
) -> None:
    """Change how much a tenant may request and upload. Takes effect within ten seconds."""
    _update(name, operator.checked(TenantUpdate, limits=_pairs(limits)))


@app.command("set-quotas")
def set_quotas(
    name: Name,
    quotas: Annotated[
        str, typer.Argument(help="Per month: documents=10000,bytes=50GB,pages=200000. Omit it for no quotas.")
    ] = "",
) -> None:
    """Change how many documents, bytes and pages a tenant may use per month. Uploads beyond them are rejected."""
    try:
        parsed = parse_quotas(_pairs(quotas))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    _update(name, operator.checked(TenantUpdate, quotas=parsed))


def _pairs(text: str) -> dict[str, str]:
    try:
        return split_pairs(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


@app.command("delete")
def delete_tenant(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a tenant with everything it has. Workers do it; `docsieve tenants certificate ID` shows the proof."""
    if not yes:
        typer.confirm(f"Delete tenant {name} with all documents, results, keys and its audit log?", abort=True)

    async def work(database: Database) -> TenantDeletion:
        return await tenant_deletion.request(database, name, by=await operator.own_scope(database))

    deletion = operator.run(work)
    print(f"Tenant {name} is being deleted. Its certificate will be: docsieve tenants certificate {deletion.id}")


@app.command("certificate")
def show_certificate(
    id: Annotated[UUID, typer.Argument(help="ID of the deletion, as `docsieve tenants delete` prints it.")],
) -> None:
    """Print the certificate of a deleted tenant as JSON."""

    async def work(database: Database) -> TenantDeletion | None:
        async with database.system() as connection:
            return await tenant_deletions.find(connection, id)

    found = operator.run(work)
    if found is None:
        raise NotFound("Deletion not found.")
    if found.certificate is None:
        raise Unavailable(f"Tenant {found.tenant_name} is still being deleted.")
    print(json.dumps(found.certificate, indent=2, ensure_ascii=False))


def _update(name: str, wanted: TenantUpdate) -> None:
    async def work(database: Database) -> Tenant:
        by = await operator.own_scope(database)
        async with database.system() as connection, connection.transaction():
            return await service.update(connection, name, wanted.changes(), by=by)

    _show_one(operator.run(work))


def _joined(named: Mapping[str, object]) -> str:
    return ",".join(f"{name}={value}" for name, value in named.items())


def _fields(tenant: Tenant) -> dict[str, object]:
    budget = "no limit" if tenant.budget_usd is None else f"{tenant.budget_usd:g} USD per month"
    return {
        "name": tenant.name,
        "weight": f"{tenant.weight:g}",
        "budget": budget,
        "limits": _joined(tenant.limits) or "those of the server",
        "quotas": _joined(tenant.quotas) or "none",
        "created": tenant.created_at,
        "id": tenant.id,
    }


def _show_one(tenant: Tenant) -> None:
    show_fields(_fields(tenant))
