"""Built-in schemas and versioned schemas of the caller's tenant."""

from typing import Annotated

from fastapi import Path, Response

from docsieve.api.access import Admin, Caller, Reader, Session, Writer
from docsieve.api.cursors import Limit, SortedCursor, cut
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name
from docsieve.api.wire.definitions.schemas import (
    SchemaCheck,
    SchemaChecked,
    SchemaCreate,
    SchemaCreated,
    SchemaPage,
    SchemaRead,
    SchemaVersionPage,
    schema_checked,
    schema_created,
    schema_facts,
    schema_read,
)
from docsieve.api.wire.definitions.versions import UseVersion
from docsieve.errors import Forbidden, Invalid, NotFound
from docsieve.errors.extractions import SchemaInvalid, StillInUse, TooManyNames
from docsieve.services.definitions import schemas

router = Router(prefix="/schemas", tags=["schemas"], responses=COMMON)

Number = Annotated[int, Path(ge=0, lt=1_000_000_000)]


@router.get("")
async def list_schemas(caller: Reader, session: Session, cursor: SortedCursor = None, limit: Limit = 50) -> SchemaPage:
    """List the current version of each schema, sorted by name."""
    page, following = cut(await schemas.list_current(session), lambda each: (each.name,), cursor, limit)
    return SchemaPage(schemas=[schema_facts(each) for each in page], next_cursor=following)


@router.post("", status_code=201, responses=problems(Invalid, SchemaInvalid, TooManyNames))
async def create_schema(body: SchemaCreate, caller: Admin, session: Session) -> SchemaCreated:
    """Create the first or the next version of a schema. Sending the newest version again does not create another."""
    _check_whole_tenant(caller)
    made = body.made()
    warnings = schemas.check(made)
    added = await schemas.add(
        session,
        body.name,
        made,
        note=body.note,
        created_by=caller.holder.key_id,
        make_current=body.make_current,
    )
    return schema_created(added, warnings)


@router.post("/check", responses=problems(Invalid, SchemaInvalid))
async def check_schema(body: SchemaCheck, caller: Writer) -> SchemaChecked:
    """Validate a schema as `POST /schemas` would, without storing it."""
    made = body.made()
    return schema_checked(made, schemas.check(made))


@router.get("/{name}", responses=problems(NotFound))
async def get_schema(name: Name, caller: Reader, session: Session) -> SchemaRead:
    """Get the current version of a schema."""
    found = await schemas.find(session, name)
    if found is None:
        raise NotFound("Schema not found.")
    return schema_read(found)


@router.get("/{name}/versions", responses=problems(NotFound))
async def list_schema_versions(
    name: Name, caller: Reader, session: Session, cursor: SortedCursor = None, limit: Limit = 50
) -> SchemaVersionPage:
    """List all versions of a schema, newest first, even if the schema was deleted."""
    found = await schemas.list_versions(session, name)
    if not found:
        raise NotFound("Schema not found.")
    page, following = cut(found, lambda each: (each.version,), cursor, limit, newest_first=True)
    return SchemaVersionPage(versions=[schema_facts(each) for each in page], next_cursor=following)


@router.get("/{name}/versions/{version}", responses=problems(NotFound))
async def get_schema_version(name: Name, version: Number, caller: Reader, session: Session) -> SchemaRead:
    """Get one version of a schema, even if the schema was deleted."""
    found = await schemas.find(session, name, version)
    if found is None:
        raise NotFound("Schema version not found.")
    return schema_read(found)


@router.put("/{name}/current", responses=problems(NotFound))
async def use_schema_version(name: Name, body: UseVersion, caller: Admin, session: Session) -> SchemaRead:
    """Make this version the current one. This also restores a deleted schema."""
    _check_whole_tenant(caller)
    return schema_read(await schemas.use(session, name, body.version))


@router.delete("/{name}", status_code=204, responses=problems(NotFound, StillInUse))
async def delete_schema(name: Name, caller: Admin, session: Session) -> Response:
    """Delete a schema. Its versions can still be fetched by number, because extractions refer to them."""
    _check_whole_tenant(caller)
    await schemas.remove(session, name)
    return Response(status_code=204)


def _check_whole_tenant(caller: Caller) -> None:
    if caller.scope.project_id is not None:
        raise Forbidden("This key is restricted to one project.")
