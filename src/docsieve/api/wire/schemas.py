"""The shapes of schemas."""

from datetime import datetime
from typing import Any, Self

from pydantic import Field, model_validator

from docsieve.api.text import Name, Text
from docsieve.api.wire.base import Body, ListPage, Wire
from docsieve.api.wire.versions import MakeCurrent
from docsieve.domain.schemas.bounds import MOST_LEAVES
from docsieve.domain.schemas.examples import from_example
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.domain.schemas.making import from_fields
from docsieve.domain.schemas.ready import READY_VERSION
from docsieve.services.definitions.schemas import SchemaVersion



class FieldCreate(Body):
    """One field of a schema that is made from a list of them."""

    name: Text = Field(description="`total`, `seller.name`, `line_items[].price`")
    type: Text = Field("string", description="such as text, number, amount, date, boolean, choice, list, list of dates")
    description: Text = ""
    required: bool = False
    labels: list[Text] = Field(default_factory=list, description="words that stand before such a value")
    options: list[Text] = Field(default_factory=list, description="what a choice may be")


class SchemaSource(Body):
    """A schema: as it is, or made from a list of fields, or from an example of the value."""

    definition: dict[str, Any] | None = Field(None, alias="schema", description="JSON Schema, of the documented subset")
    fields: list[FieldCreate] | None = Field(None, min_length=1, max_length=MOST_LEAVES)
    example: dict[str, Any] | None = Field(None, description="a value such as is wanted")

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if sum(given is not None for given in (self.definition, self.fields, self.example)) != 1:
            raise ValueError("give exactly one of schema, fields and example")
        return self

    def made(self) -> Schema:
        """Not yet checked; raises SchemaInvalid where nothing can be made of what was given."""
        if self.definition is not None:
            return self.definition
        if self.fields is not None:
            return from_fields([each.model_dump() for each in self.fields])
        return from_example(self.example)


class SchemaCheck(SchemaSource):
    """What `POST /schemas` takes; the name may be left out."""

    name: Name | None = None
    note: Text | None = Field(None, description="what changed, for those who come later")
    make_current: MakeCurrent = True


class SchemaCreate(SchemaCheck):
    name: Name


class SchemaFacts(Wire):
    name: str
    version: int = Field(description="0: as it ships with the product")
    current: bool = Field(description="whether the name alone means this version")
    ready: bool = Field(description="whether it ships with the product")
    title: str | None
    description: str | None
    field_count: int = Field(description="how many leaves it has")
    note: str | None
    created_at: datetime | None
    created_by: str | None = Field(description="id of the key; null for the command line and what ships")


class SchemaPage(ListPage):
    schemas: list[SchemaFacts]


class SchemaVersionPage(ListPage):
    versions: list[SchemaFacts]


class SchemaRead(SchemaFacts):
    definition: dict[str, Any] = Field(alias="schema")


class SchemaCreated(SchemaRead):
    warnings: list[str] = Field(description="what of the schema is ignored, each with its place")


class SchemaChecked(Wire):
    definition: dict[str, Any] = Field(alias="schema", description="what was given, or was made of it")
    warnings: list[str]
    fields: list[str] = Field(description="paths of its leaves: `line_items[].price`")


def _facts(found: SchemaVersion) -> dict[str, Any]:
    return {
        "name": found.name,
        "version": found.version,
        "current": found.current,
        "ready": found.version == READY_VERSION,
        "title": found.schema.get("title"),
        "description": found.schema.get("description"),
        "field_count": len(fields_of(found.schema)),
        "note": found.note,
        "created_at": found.created_at,
        "created_by": found.created_by,
    }


def schema_facts(found: SchemaVersion) -> SchemaFacts:
    return SchemaFacts(**_facts(found))


def schema_read(found: SchemaVersion) -> SchemaRead:
    return SchemaRead(**_facts(found), definition=found.schema)


def schema_created(found: SchemaVersion, warnings: list[str]) -> SchemaCreated:
    return SchemaCreated(**_facts(found), definition=found.schema, warnings=warnings)


def schema_checked(schema: Schema, warnings: list[str]) -> SchemaChecked:
    return SchemaChecked(definition=schema, warnings=warnings, fields=[each.pattern for each in fields_of(schema)])
