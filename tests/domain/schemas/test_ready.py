"""The schemas that ship: what users copy must be in order."""

import json
from importlib import resources
from pathlib import Path

import pytest

from docsieve.domain.schemas.fields import fields_of
from docsieve.domain.schemas.ready import READY
from docsieve.domain.schemas.shape import shaped
from docsieve.domain.schemas.subset import check_schema
from docsieve.errors.extractions import SchemaInvalid
from docsieve.services.definitions import schemas

CORPORA = Path(__file__).parents[4] / "shared" / "corpora"

in_each = pytest.mark.parametrize("name", READY)


def test_the_ready_made_schemas_are_there() -> None:
    assert list(READY) == [
        "1099",
        "bank-statement",
        "contract",
        "id-card",
        "invoice",
        "medical-report",
        "nda",
        "receipt",
        "resume",
        "w2",
    ]
    folder = resources.files("docsieve.domain.schemas") / "ready"
    assert json.loads((folder / "invoice.json").read_text("utf-8")) == READY["invoice"]


@in_each
def test_each_passes_with_its_rules_and_without_a_warning(name: str) -> None:
    assert schemas.check(READY[name]) == []
    assert shaped(READY[name], {})


@in_each
def test_each_field_has_a_description_and_a_conventional_name(name: str) -> None:
    assert READY[name]["title"]
    assert READY[name]["description"]
    for field in fields_of(READY[name]):
        assert field.description, field.pattern
        assert all(step.isidentifier() and step.islower() for step in field.path if step != "[]"), field.pattern


@in_each
def test_no_has_label_twice_at_one_field(name: str) -> None:
    for field in fields_of(READY[name]):
        assert len({label.casefold() for label in field.labels}) == len(field.labels), field.pattern


@pytest.mark.parametrize(
    ("name", "path", "labels"),
    [
        (
            "invoice",
            "total",
            ["Grand total", "Gesamtbetrag", "Total TTC", "Importe total", "Totale", "Totaal", "Valor total"],
        ),
        ("invoice", "due_date", ["Due date", "Fällig am", "Échéance", "Vencimiento", "Scadenza", "Vervaldatum"]),
        ("receipt", "change", ["Change", "Rückgeld", "Rendu", "Cambio", "Resto", "Wisselgeld", "Troco"]),
        (
            "bank-statement",
            "closing_balance",
            ["Closing balance", "Endsaldo", "Nouveau solde", "Saldo finale", "Eindsaldo"],
        ),
    ],
)
def test_the_common_ones_know_the_labels_of_many_languages(name: str, path: str, labels: list[str]) -> None:
    (field,) = (each for each in fields_of(READY[name]) if each.pattern == path)
    assert set(labels) <= set(field.labels)


def test_a_rule_about_a_field_that_is_not_there_is_refused() -> None:
    schema = {
        "type": "object",
        "properties": {"net": {"type": "number"}, "lines": {"type": "array", "items": {"type": "number"}}},
        "x-rules": [{"rule": "sum(lines[]) == net"}, {"rule": "net + tax == 3"}, {"rule": "net +"}],
    }
    with pytest.raises(SchemaInvalid) as refused:
        schemas.check(schema)
    assert refused.value.detail.startswith("/x-rules/1/rule: unknown field tax; /x-rules/2/rule: invalid rule: ")


@pytest.mark.skipif(not CORPORA.exists(), reason="../shared/corpora is not there")
def test_every_schema_of_the_corpora_passes_or_is_refused_for_its_wrapper() -> None:
    paths = [*CORPORA.glob("schema_docubench/schemas/*.json"), *CORPORA.glob("schema_extract_bench/**/*-schema.json")]
    assert len(paths) >= 13
    for path in paths:
        schema = json.loads(path.read_text("utf-8"))
        if "schema_definition" in schema:
            with pytest.raises(SchemaInvalid, match="is “schema_definition” the schema itself"):
                check_schema(schema)
            schema = schema["schema_definition"]
        check_schema(schema)
        assert fields_of(schema), path.name
