"""The examples of `docs/schemas.md` work as documented."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from docsieve.api.wire.definitions.schemas import SchemaSource
from docsieve.cli.extract.schema_sources import schema_from
from docsieve.domain.prompts import PLACEHOLDERS
from docsieve.domain.schemas.bounds import MAX_BYTES, MAX_LEAVES, MAX_LEVELS
from docsieve.domain.schemas.build import from_model
from docsieve.domain.schemas.fields import fields_of
from docsieve.domain.schemas.keywords import NUMBER_FORMATS, STRING_FORMATS, TYPES
from docsieve.domain.schemas.ready import READY
from docsieve.services.definitions import schemas
from tests.api.running import running

DOCUMENT = (Path(__file__).parents[2] / "docs" / "schemas.md").read_text("utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)


def _json_with(key: str) -> dict[str, Any]:
    (found,) = (each for each in map(json.loads, _blocks("json")) if key in each)
    assert isinstance(found, dict)
    return found


def test_the_first_schema_passes_with_its_rule_and_without_a_warning() -> None:
    assert schemas.check(_json_with("properties")) == []


@pytest.mark.parametrize("source", ["fields", "example"])
def test_fields_and_example_become_schemas(source: str) -> None:
    body = _json_with(source)
    made = SchemaSource.model_validate({source: body[source]}).made()
    assert schemas.check(made) == []
    assert "lines[].price" in {each.pattern for each in fields_of(made)}


def test_the_table_of_fields_is_the_same_as_the_list(tmp_path: Path) -> None:
    (table,) = _blocks("csv")
    path = tmp_path / "fields.csv"
    path.write_text(table)
    assert schema_from(schema=None, fields=path) == SchemaSource.model_validate(
        {"fields": _json_with("fields")["fields"]}
    ).made()  # fmt: skip


def test_the_model_becomes_a_schema() -> None:
    (code,) = _blocks("python")
    names: dict[str, Any] = {"__name__": "documented"}
    exec(compile(code, "docs/schemas.md", "exec"), names)
    assert issubclass(names["Order"], BaseModel)
    schema = from_model(names["Order"])
    schemas.check(schema)
    assert {each.pattern: each.labels for each in fields_of(schema)}["order_number"] == ("Order No",)


async def test_the_prompt_and_the_defaults_are_accepted(database_url: str, tmp_path: Path) -> None:
    async with running(database_url, tmp_path, provider_keys={"openai": "k"}) as api:
        client = await api.admin(await api.tenant("acme"))
        assert (await client.post("/prompts", json=_json_with("template"))).status_code == 201
        changed = await client.patch("/projects/default", json=_json_with("engine"))
        assert changed.status_code == 200, changed.text


def test_every_type_format_placeholder_and_ready_made_schema_is_named() -> None:
    for name in (*TYPES, *STRING_FORMATS, *NUMBER_FORMATS, *READY, *(f"{{{{{each}}}}}" for each in PLACEHOLDERS)):
        assert f"`{name}`" in DOCUMENT, name
    assert f"{MAX_LEAVES:,} fields, {MAX_LEVELS} levels and {MAX_BYTES // 1024} KiB" in DOCUMENT
