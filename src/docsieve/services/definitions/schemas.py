"""Schemas of a tenant: its own, and the built-in ones, which are version 0 of their names."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from docsieve.db.access import projects
from docsieve.db.connection.session import Session
from docsieve.db.definitions.versions import SCHEMAS, Head, Version
from docsieve.domain.schemas.choice import RESERVED, inline_schema
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.ready import READY, READY_VERSION
from docsieve.domain.schemas.refs import SchemaRef
from docsieve.domain.schemas.subset import check_schema
from docsieve.errors import Invalid, NotFound
from docsieve.errors.extractions import UnknownSchema
from docsieve.services.definitions import versions
from docsieve.services.definitions.schema_rules import check_rules


class ResolvedSchema(NamedTuple):
    name: str
    version: int
    schema: Schema

    @property
    def ref(self) -> str:
        return f"{self.name}@{self.version}"


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """One version with its history. Built-in versions have no author. Callers must not modify `schema`."""

    name: str
    version: int
    schema: Schema
    current: bool
    note: str | None = None
    created_at: datetime | None = None
    created_by: str | None = None


async def resolve(session: Session, ref: str) -> ResolvedSchema:
    """Resolve `invoice` or `invoice@3`. Raises UnknownSchema.

    A numbered version is found even after its name was deleted, so that its extractions can be read and repeated.
    """
    wanted = SchemaRef.parse(ref)
    found = await find(session, wanted.name, wanted.version)
    if found is None:
        raise UnknownSchema(f"Schema {wanted} not found.")
    return ResolvedSchema(found.name, found.version, found.schema)


async def find(session: Session, name: str, version: int | None = None) -> SchemaVersion | None:
    """The given version, or the current one."""
    current = _current(await SCHEMAS.head(session, name))
    wanted = current if version is None else version
    if wanted == READY_VERSION:
        return _ready(name, current=current) if name in READY else None
    row = await SCHEMAS.find(session, name, wanted)
    return _own(row) if row else None


async def list_current(session: Session) -> list[SchemaVersion]:
    """The current version of each name, including built-in schemas."""
    own = {row.name: _own(row) for row in await SCHEMAS.list_current(session)}
    ready = {name: _ready(name, current=READY_VERSION) for name in READY if name not in own}
    return sorted((*own.values(), *ready.values()), key=lambda each: each.name)


async def list_versions(session: Session, name: str) -> list[SchemaVersion]:
    """All versions, newest first and the built-in one last, even of a deleted name."""
    own = [_own(row) for row in await SCHEMAS.list_versions(session, name)]
    current = _current(await SCHEMAS.head(session, name))
    return [*own, *([_ready(name, current=current)] if name in READY else [])]


def check(schema: Schema) -> list[str]:
    """Validate a schema with its rules and return warnings about ignored parts. Raises SchemaInvalid."""
    warnings = check_schema(schema)
    check_rules(schema)
    return warnings


async def check_choice(session: Session, choice: str) -> None:
    """Raises UnknownSchema or SchemaInvalid for what cannot be extracted. See `domain.schemas.choice`."""
    if choice in RESERVED:
        return
    schema = inline_schema(choice)
    if schema is not None:
        check(schema)
    else:
        await resolve(session, choice)


async def add(
    session: Session,
    name: str,
    schema: Schema,
    *,
    note: str | None = None,
    created_by: str | None = None,
    make_current: bool = True,
    counted: bool = True,
) -> SchemaVersion:
    """Add the next version of the name, unless the schema equals the newest version.

    Schemas of batches are not counted against the limit on names.
    """
    if name in RESERVED:
        raise Invalid(f"name: {name} is reserved. Choose a different one.")
    check(schema)
    added = await versions.add(
        session,
        SCHEMAS,
        name,
        json.dumps(schema, ensure_ascii=False),
        note=note,
        created_by=created_by,
        make_current=make_current,
        has_ready=name in READY,
        counted=counted,
    )
    return _own(added)


async def use(session: Session, name: str, version: int) -> SchemaVersion:
    """Make this version current. 0 is the built-in schema of that name."""
    found = await find(session, name, version)
    if found is None:
        raise NotFound("Schema version not found.")
    await versions.use(session, SCHEMAS, name, version)
    chosen = await find(session, name)
    assert chosen is not None
    return chosen


async def remove(session: Session, name: str) -> None:
    """Delete the tenant's schema. The name of a built-in schema then refers to that one again."""
    used_by = [] if name in READY else await projects.names_using_schema(session, name)
    await versions.remove(session, SCHEMAS, name, used_by=used_by)


def _current(head: Head | None) -> int:
    return READY_VERSION if head is None or head.deleted else head.current_version


def _own(row: Version) -> SchemaVersion:
    content = json.loads(row.content)
    return SchemaVersion(row.name, row.version, content, row.current, row.note, row.created_at, row.created_by)


def _ready(name: str, *, current: int) -> SchemaVersion:
    return SchemaVersion(name, READY_VERSION, READY[name], current == READY_VERSION)
