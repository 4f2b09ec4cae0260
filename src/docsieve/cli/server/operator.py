"""Commands that work directly on the database. They need no API key, so a lost key can be replaced."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from docsieve import logs
from docsieve.cli.console.configuration import load_settings
from docsieve.cli.server.database import connect, database_url
from docsieve.db.access import tenants
from docsieve.db.access.tenants import Tenant
from docsieve.db.connection import migrate
from docsieve.db.connection.session import Database, Session
from docsieve.domain.audit import COMMAND_LINE
from docsieve.domain.scope import Scope
from docsieve.errors import Invalid, NameTaken, NotFound
from docsieve.errors.setup import DatabaseOutdated
from docsieve.services.access import tenants as service

T = TypeVar("T")
Given = TypeVar("Given", bound=BaseModel)


def run(work: Callable[[Database], Awaitable[T]]) -> T:
    """Run `work` on the configured database, after creating its tables if there are none yet."""
    settings = load_settings()
    logs.configure(settings, process="cli")

    async def prepare_and_work(url: str) -> T:
        await _prepare(settings.direct_url(url))
        database = await Database.open(url, connections=2)
        try:
            await _ensure_default_tenant(database)
            return await work(database)
        finally:
            await database.close()

    with database_url(settings) as url:
        return asyncio.run(prepare_and_work(url))


async def _prepare(url: str) -> None:
    connection = await connect(url)
    try:
        found = await migrate.applied(connection)
    finally:
        await connection.close()
    if found is None:
        await migrate.migrate(url)
    elif found != migrate.newest():
        raise DatabaseOutdated(
            f"The database is at revision {found}, but this release needs {migrate.newest()}. Run `docsieve migrate`."
        )


async def _ensure_default_tenant(database: Database) -> None:
    async with database.system() as connection:
        if await tenants.find(connection, service.DEFAULT) is not None:
            return
        try:
            async with connection.transaction():
                await service.create(connection, service.DEFAULT)
        except NameTaken:
            return  # a server that started at the same time created it


async def find_tenant(database: Database, name: str) -> Tenant:
    async with database.system() as connection:
        tenant = await tenants.find(connection, name)
    if tenant is None:
        raise NotFound(f"Tenant {name} not found.")
    return tenant


@asynccontextmanager
async def as_tenant(database: Database, name: str) -> AsyncIterator[Session]:
    tenant = await find_tenant(database, name)
    async with database.tenant(Scope(tenant.id, actor=COMMAND_LINE)) as session:
        yield session


async def own_scope(database: Database) -> Scope:
    """The operator's tenant, whose audit log records changes to tenants."""
    return Scope((await find_tenant(database, service.DEFAULT)).id, actor=COMMAND_LINE)


def checked(body: type[Given], **values: Any) -> Given:
    """Validates command-line values with the API's rules."""
    try:
        return body.model_validate(values)
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
        raise Invalid("; ".join(faults)) from error
