"""What every local engine must do, ours and installed ones alike."""

import re
from collections.abc import Mapping
from time import process_time

import pytest

from docsieve.domain.extraction import Found, Material, Proposal
from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.domain.schemas.shape import pattern_of
from docsieve.engines.port import LocalEngine
from docsieve.engines.registry import local_engine, local_engines
from docsieve.errors.extractions import UnknownEngine
from docsieve.pipelines.engines.registry import engine_named, engines
from tests.engines.local.drawing import HEIGHT, WIDTH, line, material, page, table, written

INVOICE: Schema = {
    "type": "object",
    "properties": {
        "invoice_number": {"type": "string"},
        "date": {"type": "string", "format": "date"},
        "seller": {"type": "object", "properties": {"name": {"type": "string"}, "iban": {"type": "string"}}},
        "total": {"type": "number", "format": "amount"},
        "paid": {"type": "boolean"},
        "status": {"type": "string", "enum": ["draft", "final"]},
        "line_items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"description": {"type": "string"}, "amount": {"type": "number"}},
            },
        },
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}
KINDS: dict[str, tuple[type, ...]] = {"string": (str,), "number": (int, float), "integer": (int,), "boolean": (bool,)}
PAGE = """
Example Works GmbH
Long Street 1, 12345 Town
Invoice number: 4711
Date: 31.01.2024

Description            Amount
Anvil                  100,00
Rope                   19,00

Total:  119,00
"""


@pytest.fixture(params=sorted(local_engines()))
def engine(request: pytest.FixtureRequest) -> LocalEngine:
    return local_engine(request.param)


def propose(engine: LocalEngine, *pages: Page, schema: Schema = INVOICE) -> Proposal:
    return engine.propose(material(*pages), schema, lessons=None)


def test_an_engine_is_found_by_its_name_and_an_unknown_name_is_refused() -> None:
    assert {"local", "llm", "azure-document-intelligence", "cascade"} <= engines().keys()
    assert all(engine.about.name == name for name, engine in engines().items())
    assert local_engine("local").about.name == "local"
    with pytest.raises(UnknownEngine) as refusal:
        local_engine("no-such-engine")
    assert (refusal.value.status, refusal.value.code) == (422, "unknown_engine")
    with pytest.raises(UnknownEngine):
        engine_named("no-such-engine")


def test_an_installed_package_adds_a_local_engine_that_describes_itself() -> None:
    about = engine_named("second").about

    assert (about.version, about.title, about.calls_out) == ("7", "Second engine", False)
    assert local_engine("second").about is about


def given(found: Mapping[str, Found]) -> dict[str, Found]:
    """An engine may also say how sure it is that a field is absent."""
    return {path: each for path, each in found.items() if each.value is not None}


def test_it_answers_only_with_paths_of_the_schema_in_values_of_their_kind(engine: LocalEngine) -> None:
    found = given(propose(engine, written(PAGE)).found)

    by_pattern = {each.pattern: each for each in fields_of(INVOICE)}
    assert found
    for path, each in found.items():
        field = by_pattern[pattern_of(path)]
        assert isinstance(each.value, KINDS[field.kind])
        assert field.enum is None or each.value in field.enum


def test_each_value_has_a_score_a_reason_and_spots_inside_the_page(engine: LocalEngine) -> None:
    for each in given(propose(engine, written(PAGE)).found).values():
        assert each.score is not None and 0 <= each.score <= 1
        assert each.why
        assert each.spots
        assert _inside(each)


def _inside(found: Found) -> bool:
    return all(
        spot.page == 1 and 0 <= spot.box[0] < spot.box[2] <= WIDTH and 0 <= spot.box[1] < spot.box[3] <= HEIGHT
        for spot in found.spots
    )


def test_the_same_pages_give_the_same_answer(engine: LocalEngine) -> None:
    assert propose(engine, written(PAGE)) == propose(engine, written(PAGE))


def test_a_string_is_spelled_as_on_the_page(engine: LocalEngine) -> None:
    found = propose(engine, written(PAGE)).found

    assert found["invoice_number"].value == "4711"
    assert found["total"].value == 119


@pytest.mark.parametrize("materials", [[], [Material("none", [])], [Material("empty", [page([])])]])
def test_nothing_is_invented_for_empty_documents(engine: LocalEngine, materials: list[Material]) -> None:
    assert given(engine.propose(materials, INVOICE, lessons=None).found) == {}


def test_nothing_is_invented_from_text_about_something_else(engine: LocalEngine) -> None:
    prose = written("The quick brown fox jumps over the lazy dog.\nIt was a dark and stormy night.")

    found = given(propose(engine, prose).found)

    assert not {"invoice_number", "date", "total", "seller.iban", "paid", "status"} & set(found)
    assert not [path for path in found if path.startswith("line_items")]


def test_pages_of_several_documents_keep_their_places(engine: LocalEngine) -> None:
    materials = [Material("first", [written("Nothing here")]), Material("second", [written(PAGE)])]

    found = engine.propose(materials, INVOICE, lessons=None).found

    assert found["invoice_number"].spots[0].document == 1


def test_lessons_of_another_engine_or_time_are_passed_over(engine: LocalEngine) -> None:
    strange = engine.propose(material(written(PAGE)), INVOICE, lessons={"format": "of the future", "fields": 3})

    assert strange == propose(engine, written(PAGE))


HOSTILE = {
    "one huge word": "A" * 300_000,
    "one huge line": "total 1.00 " * 20_000,
    "colons": ": " * 20_000,
    "digits": "1" * 100_000,
    "brackets": "(" * 50_000,
    "marks of a regular expression": "a.*+?^${}()|[]\\" * 4_000,
    "dates without end": "01/01/" * 10_000,
    "letters that run to the left": "שלום " * 5_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_neither_breaks_nor_stalls_it(engine: LocalEngine, text: str) -> None:
    started = process_time()

    propose(engine, page([line(10, 10, text)]))

    assert process_time() - started < 20


@pytest.mark.parametrize(
    "engine",
    [pytest.param(name, marks=[] if name == "local" else [pytest.mark.slow]) for name in sorted(local_engines())],
    indirect=True,
)
def test_a_table_of_5000_rows_over_many_pages_is_whole_and_costs_in_step_with_its_rows(engine: LocalEngine) -> None:
    def seconds(rows: int) -> float:
        pages = _long_table(rows)
        started = process_time()
        found = propose(engine, *pages).found
        spent = process_time() - started
        amounts = [found[f"line_items[{at}].amount"].value for at in range(rows)]
        assert amounts == [float(at) + 0.5 for at in range(rows)]
        assert f"line_items[{rows}].amount" not in found
        return spent

    small, large = seconds(500), seconds(5_000)

    assert large < 40 * max(small, 0.05)


def _long_table(rows: int) -> list[Page]:
    pages = []
    for number, start in enumerate(range(0, rows, 50), start=1):
        body = [[f"Thing {at} of many", f"{at}.50"] for at in range(start, min(start + 50, rows))]
        if start + 50 >= rows:
            body.append(["Total", "99999.00"])
        ruled, lines = table([["Description", "Amount"], *body], top=60)
        pages.append(page(lines, number=number, tables=[ruled]))
    return pages


def test_no_reason_holds_a_whole_line_of_the_document(engine: LocalEngine) -> None:
    found = propose(engine, written(f"{'secret ' * 40}total: 12.50")).found

    assert all(len(re.findall("secret", each.why or "")) < 10 for each in found.values())
