"""Requests and responses about schemas."""

from datetime import datetime
from typing import Any, Self

from pydantic import Field, model_validator

from docsieve.api.text import Name, Text
from docsieve.api.wire.base import Body, ListPage, Wire
from docsieve.api.wire.definitions.versions import MakeCurrent
from docsieve.domain.schemas.bounds import MAX_LEAVES
from docsieve.domain.schemas.build import from_fields
from docsieve.domain.schemas.examples import from_example
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.domain.schemas.ready import READY_VERSION
from docsieve.services.definitions.schemas import SchemaVersion


class FieldCreate(Body):
    """One field of a schema that is built from a list of fields."""

    name: Text = Field(description="Path of the field: `total`, `seller.name`, `line_items[].price`.")
    type: Text = Field(
        "string", description="Such as `text`, `number`, `amount`, `date`, `boolean`, `choice` or `list of dates`."
    )
    description: Text = ""
    required: bool = False
    labels: list[Text] = Field(default_factory=list, description="Labels that appear next to the value on documents.")
    options: list[Text] = Field(default_factory=list, description="Allowed values of a choice.")


class SchemaSource(Body):
    """A schema, given as JSON Schema, as a list of fields, or as an example value."""

    definition: dict[str, Any] | None = Field(
        None, alias="schema", description="A JSON Schema within the supported subset."
    )
    fields: list[FieldCreate] | None = Field(None, min_length=1, max_length=MAX_LEAVES)
    example: dict[str, Any] | None = Field(None, description="An example of the value to extract.")

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if sum(given is not None for given in (self.definition, self.fields, self.example)) != 1:
            raise ValueError("give exactly one of schema, fields and example")
        return self

    def made(self) -> Schema:
        """The schema, not yet validated. Raises SchemaInvalid if the fields or the example cannot become one."""
        if self.definition is not None:
            return self.definition
        if self.fields is not None:
            return from_fields([each.model_dump() for each in self.fields])
        return from_example(self.example)


class SchemaCheck(SchemaSource):
    """The same body as `POST /schemas`, except that the name is optional."""

    name: Name | None = None
    note: Text | None = Field(None, description="What changed in this version.")
    make_current: MakeCurrent = True


class SchemaCreate(SchemaCheck):
    name: Name


class SchemaFacts(Wire):
    name: str
    version: int = Field(description="0 for the version that ships with Docsieve.")
    current: bool = Field(description="Whether the name refers to this version.")
    ready: bool = Field(description="Whether it ships with Docsieve.")
    title: str | None
    description: str | None
    field_count: int = Field(description="Number of fields.")
    note: str | None
    created_at: datetime | None
    created_by: str | None = Field(
        description="ID of the API key. Null if created from the command line or shipped with Docsieve."
    )


class SchemaPage(ListPage):
    schemas: list[SchemaFacts]


class SchemaVersionPage(ListPage):
    versions: list[SchemaFacts]


class SchemaRead(SchemaFacts):
    definition: dict[str, Any] = Field(alias="schema")


class SchemaCreated(SchemaRead):
    warnings: list[str] = Field(description="Parts of the schema that are ignored, each with its location.")


class SchemaChecked(Wire):
    definition: dict[str, Any] = Field(alias="schema", description="The schema as given or as built from the request.")
    warnings: list[str]
    fields: list[str] = Field(description="Paths of its fields, such as `line_items[].price`.")


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
