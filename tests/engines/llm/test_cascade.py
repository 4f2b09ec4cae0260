"""The cascade: which engine fills which field, and how two answers are combined."""

from dataclasses import replace
from typing import Any

from docsieve.analysis.proof.results import finish
from docsieve.domain.extraction import Doubt, Evidence, Found, LeafMetadata, Proposal, Result, Usage
from docsieve.domain.schemas.shape import leaves
from docsieve.engines.llm.cascade import combined, sub_schema, weak_patterns
from docsieve.engines.llm.prepare import prepare
from docsieve.llm.port import Question
from docsieve.pipelines.engines.cascade import Cascade
from docsieve.pipelines.model_calls import ModelCalls, propose
from docsieve.providers.metered import MeteredCalls
from tests.engines.llm.conftest import ScriptedModel, material, page

SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Receipt",
    "x-rules": [{"rule": "total > 0"}],
    "required": ["company", "total"],
    "properties": {
        "company": {"type": "string", "description": "who sells"},
        "total": {"type": "number", "x-threshold": 0.95},
        "address": {"$ref": "#/$defs/address"},
        "rows": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}},
        },
    },
    "$defs": {
        "address": {"type": "object", "properties": {"city": {"type": "string"}, "zip": {"type": "string"}}},
    },
}
VALUE = {
    "company": "ACME",
    "total": 5.0,
    "address": {"city": "Berlin", "zip": "10115"},
    "rows": [{"name": "Tea", "price": 2.0}, {"name": "Cup", "price": 3.0}],
}


def result(value: Any = None, **confidences: float) -> Result:
    """Sure of everything but what is named, by patterns with `__` for a dot and `rows_` for its rows; what is named
    needs review."""
    value = VALUE if value is None else value
    metadata = {}
    for path, _ in leaves(value):
        name = path.replace("[0].", "_").replace("[1].", "_").replace(".", "__")
        place = Evidence("doc", 1, 612, 792, (1, 2, 3, 4), "text")
        metadata[path] = LeafMetadata(confidences.get(name, 0.97), True, [place], needs_review=name in confidences)
    return Result(value, metadata, 0.9, usage=Usage(pages=2))


def test_a_result_that_is_sure_of_all_asks_for_nothing() -> None:
    assert weak_patterns(SCHEMA, result()) == []


def test_what_needs_review_is_asked_for() -> None:
    assert weak_patterns(SCHEMA, result(total=0.9)) == ["total"]
    assert weak_patterns(SCHEMA, result(company=0.5, address__zip=0.3)) == ["company", "address.zip"]


def test_an_empty_field_is_asked_for_however_sure_the_local_engine_is_of_it() -> None:
    assert weak_patterns(SCHEMA, result({**VALUE, "address": {"city": "Berlin", "zip": None}})) == ["address.zip"]


def test_of_a_table_all_columns_are_asked_for_or_none() -> None:
    assert weak_patterns(SCHEMA, result(rows_price=0.2)) == ["rows[].name", "rows[].price"]
    assert weak_patterns(SCHEMA, result({**VALUE, "rows": []})) == ["rows[].name", "rows[].price"]


def test_a_sub_schema_holds_the_asked_leaves_and_what_leads_to_them() -> None:
    assert sub_schema(SCHEMA, ["company", "address.zip", "rows[].price"]) == {
        "type": "object",
        "title": "Receipt",
        "required": ["company"],
        "properties": {
            "company": {"type": "string", "description": "who sells"},
            "address": {"type": "object", "properties": {"zip": {"type": "string"}}},
            "rows": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}},
        },
    }


def test_agreement_makes_surer_and_keeps_the_place() -> None:
    said = Proposal({"company": Found("acme", score=0.8)})
    found = combined(SCHEMA, result(company=0.5), said, ["company"], ["doc"]).found["company"]
    assert found.score == 0.9
    assert [(spot.page, spot.document) for spot in found.spots] == [(1, 0)]


def test_where_they_differ_the_stronger_is_believed_and_where_it_is_silent_the_local_stays() -> None:
    said = Proposal({"company": Found("Bolt")})
    found = combined(SCHEMA, result(company=0.5, total=0.4), said, ["company", "total"], ["doc"]).found
    assert found["company"].value == "Bolt"
    [doubt] = found["company"].doubts
    assert doubt.message == "Two ways of finding it gave different values: 'Bolt' and 'ACME'."
    assert (doubt.other, [spot.page for spot in doubt.spots]) == ("text", [1])
    assert (found["total"].value, found["total"].score) == (5.0, 0.4)
    assert (found["address.city"].value, found["address.city"].score) == ("Berlin", 0.97)


def test_doubts_stay_with_a_local_value_and_go_when_the_stronger_engine_agrees() -> None:
    local = result(company=0.5, total=0.4)
    place = local.metadata["total"].evidence[0]
    for path in ("company", "total"):
        local.metadata[path].doubts = [Doubt("two_candidates", "Two values fit: '5' and '6'.", "6", [place])]
    said = Proposal({"company": Found("acme")})
    found = combined(SCHEMA, local, said, ["company", "total"], ["doc"]).found
    assert found["company"].doubts == []
    assert [(each.code, each.other, each.spots[0].text) for each in found["total"].doubts] == [
        ("two_candidates", "6", "text")
    ]


def test_values_that_were_not_requested_are_ignored() -> None:
    said = Proposal({"address.city": Found("Paris"), "no.such": Found("x")})
    assert combined(SCHEMA, result(company=0.5), said, ["company"], ["doc"]).found["address.city"].value == "Berlin"


def test_rows_are_those_of_the_stronger_engine_if_it_found_any() -> None:
    asked = ["rows[].name", "rows[].price"]
    one = Proposal({"rows[0].name": Found("Tea"), "rows[0].price": Found(2.0)})
    found = combined(SCHEMA, result(rows_price=0.2), one, asked, ["doc"]).found
    assert {path for path in found if path.startswith("rows")} == {"rows[0].name", "rows[0].price"}
    kept = combined(SCHEMA, result(rows_price=0.2), Proposal(), asked, ["doc"]).found
    assert {path for path in kept if path.startswith("rows[1]")} == {"rows[1].name", "rows[1].price"}


async def test_two_real_engines_meet_on_the_page() -> None:
    """The rest is real: values are grounded on the page, checked and scored."""
    materials = [material(page(1, "ACME Ltd", "City: Berlin", "Total: 5.00"))]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"company": {"type": "string"}, "total": {"type": "number"}, "city": {"type": "string"}},
    }
    sure = Proposal({"total": Found(5.0, 0.99), "city": Found("Berlin", 0.99)})
    local = finish(materials, schema, sure, engine="local", threshold=0.5)
    model = ScriptedModel(lambda _: {"company": "ACME Ltd"})
    asking = ModelCalls(model, MeteredCalls(model.name), lambda answer: 0.001 * answer.output_tokens)

    async def ask(wanted: Any) -> Proposal:
        return await propose(asking, prepare(materials, wanted), wanted, prompt=None)

    async def finished(proposal: Proposal) -> Result:
        return finish(materials, schema, proposal, engine="cascade", threshold=0.5)

    def estimate(wanted: Any) -> float:
        return asking.expected(Question("", "", wanted)).cost

    made = await Cascade(schema, ["a-document"], ask, finished, estimate).improve(local)
    assert made.value == {"company": "ACME Ltd", "total": 5.0, "city": "Berlin"}
    assert all(each.grounded for each in made.metadata.values())
    (question,) = model.questions
    assert question.schema is not None
    assert list(question.schema["properties"]) == ["company"]
    assert made.usage.calls == 1
    assert made.usage.saved > 0


class Stronger:
    def __init__(self, proposal: Proposal) -> None:
        self.proposal = proposal
        self.schemas: list[Any] = []

    async def __call__(self, schema: Any) -> Proposal:
        self.schemas.append(schema)
        return self.proposal


def cascade(stronger: Stronger) -> Cascade:
    async def finish(proposal: Proposal) -> Result:
        return replace(result(), usage=proposal.usage)

    def estimate(schema: Any) -> float:
        return 0.01 * len(list(leaves(schema)))

    return Cascade(SCHEMA, ["doc"], stronger, finish, estimate)


async def test_a_sure_local_result_costs_nothing_and_says_what_it_saved() -> None:
    stronger = Stronger(Proposal())
    made = await cascade(stronger).improve(result())
    assert stronger.schemas == []
    assert made.usage.saved == cascade(stronger).estimate(SCHEMA) > 0
    assert made.usage.details["cascade"] == {"asked": [], "fields": 6}


async def test_only_the_weak_fields_are_requested_and_the_usage_shows_it() -> None:
    stronger = Stronger(Proposal({"company": Found("ACME")}, Usage(calls=1, cost=0.02, pages=2)))
    made = await cascade(stronger).improve(result(company=0.3))
    (schema,) = stronger.schemas
    assert list(schema["properties"]) == ["company"]
    assert (made.usage.calls, made.usage.cost, made.usage.pages) == (1, 0.02, 2)
    assert made.usage.details["cascade"]["asked"] == ["company"]
    estimate = cascade(stronger).estimate
    assert made.usage.saved == round(estimate(SCHEMA) - estimate(schema), 9)


async def test_when_all_is_weak_the_schema_is_asked_for_as_it_is() -> None:
    stronger = Stronger(Proposal())
    everything = result({"company": None, "total": None, "address": {"city": None, "zip": None}, "rows": []})
    for each in everything.metadata.values():
        each.confidence = 0.1
    made = await cascade(stronger).improve(everything)
    assert stronger.schemas == [SCHEMA]
    assert made.usage.saved == 0
