"""What `docsieve schemas` makes a schema of."""

import json
from pathlib import Path

import pytest

from docsieve.cli.extract.schema_sources import schema_from
from docsieve.domain.schemas.fields import fields_of
from docsieve.errors import Invalid


def _file(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def test_an_example_file_becomes_a_schema(tmp_path: Path) -> None:
    example = _file(tmp_path, "example.json", {"day": "2024-01-31", "lines": [{"price": 1.5}]})
    made = schema_from(schema=None, example=example)
    assert [each.pattern for each in fields_of(made)] == ["day", "lines[].price"]


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_table_of_fields_becomes_a_schema(tmp_path: Path, separator: str) -> None:
    rows = [
        ["\ufeffName", "Type", "Description", "Required"],
        ["total", "amount", '"all, with tax"', "yes"],
        ["", "", "", ""],
        ["seller.name"],
    ]
    table = _file(tmp_path, "fields.csv", "\n".join(separator.join(row) for row in rows))
    total, seller = fields_of(schema_from(schema=None, fields=table))
    assert (total.pattern, total.format, total.description, total.required) == (
        "total",
        "amount",
        "all, with tax",
        True,
    )
    assert (seller.pattern, seller.kind, seller.required) == ("seller.name", "string", False)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_json_list_of_fields_becomes_a_schema(tmp_path: Path, wrapped: bool) -> None:
    fields = [{"name": "total", "type": "money"}]
    path = _file(tmp_path, "fields.json", {"fields": fields} if wrapped else fields)
    assert schema_from(schema=None, fields=path)["properties"] == {"total": {"type": "number", "format": "amount"}}


def test_a_model_of_the_current_folder_becomes_a_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _file(tmp_path, "bills_of_mine.py", "from pydantic import BaseModel\nclass Bill(BaseModel):\n    number: str\n")
    monkeypatch.chdir(tmp_path)
    made = schema_from(schema=None, model="bills_of_mine:Bill")
    assert [each.pattern for each in fields_of(made)] == ["number"]


@pytest.mark.parametrize("model", ["no_such_module:Thing", "json:NoSuch", "json:loads", "json", ":", ""])
def test_a_class_that_is_not_a_model_is_rejected(model: str) -> None:
    with pytest.raises(Invalid):
        schema_from(schema=None, model=model)


def test_exactly_one_source_is_needed(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="Give either a schema FILE or one of"):
        schema_from(schema=None)
    with pytest.raises(Invalid, match="Give either a schema FILE or one of"):
        schema_from(schema=tmp_path, example=tmp_path)


@pytest.mark.parametrize(("name", "content"), [("a.json", "{"), ("a.csv", "total,amount"), ("a.json", "[" * 100_000)])
def test_what_cannot_be_read_is_refused(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(Invalid):
        schema_from(schema=None, fields=_file(tmp_path, name, content))
    with pytest.raises(Invalid, match="cannot be read"):
        schema_from(schema=tmp_path / "none.json")
