"""What corrected rows teach about lists: headings in unknown words, and lines that are no rows."""

import json
from typing import Any

import pytest

from docsieve.domain.pages.page import Line, Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.cross_validation import VerifiedExample, cross_validate
from docsieve.engines.local.engine import LocalFields
from docsieve.engines.port import Example
from tests.engines.local.drawing import line, material, page

SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "goods": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "number"}, "c": {"type": "number"}},
            },
        }
    },
}
LEFT = (40, 300, 420)
NAMES = ("Hasel", "Birke", "Linde", "Esche", "Ulme", "Eiche", "Buche", "Weide")


def rows_of(number: int) -> list[dict[str, Any]]:
    count = 3 + number % 3
    return [
        {"a": f"{NAMES[(number + at) % 8]} {number}", "b": 2 + at + number, "c": 10.5 * (at + 1) + number}
        for at in range(count)
    ]


def slip(number: int, *, carried: bool = False) -> Page:
    """Headings that are in no dictionary, and numbers that could be either of two fields."""
    lines: list[Line] = [line(40, 40, "SAGEWERK NORD", 14)]
    lines += [line(left, 100, text) for left, text in zip(LEFT, ("Puzt", "Krom", "Velt"), strict=True)]
    top = 120.0
    for at, row in enumerate(rows_of(number)):
        if carried and at == 2:
            lines += [line(left, top, text) for left, text in zip(LEFT, ("Ubertrug", "900", "77.10"), strict=True)]
            top += 16
        cells = (row["a"], str(row["b"]), f"{row['c']:.2f}")
        lines += [line(left, top, text) for left, text in zip(LEFT, cells, strict=True)]
        top += 16
    return page([*lines, line(40, top + 60, "Danke und gute Fahrt")])


def found_on(where: Page, lessons: dict[str, Any] | None) -> list[dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for path, each in LocalFields().propose(material(where), SCHEMA, lessons=lessons).found.items():
        at, name = path.removeprefix("goods[").split("].")
        found.setdefault(int(at), {})[name] = each.value
    return [found[at] for at in sorted(found)]


def lessons_from(count: int, *, carried: bool = False) -> dict[str, Any]:
    examples = [Example(material(slip(n, carried=carried)), SCHEMA, {"goods": rows_of(n)}) for n in range(count)]
    return LocalFields().learn(examples)


@pytest.mark.parametrize("examples", [2, 5])
def test_headings_in_unknown_words_are_learned_from_corrected_rows(examples: int) -> None:
    assert found_on(slip(7), None) != rows_of(7)

    assert found_on(slip(7), lessons_from(examples)) == rows_of(7)


def test_a_line_that_people_left_out_of_several_lists_is_not_a_row() -> None:
    assert found_on(slip(7, carried=True), lessons_from(5)) != rows_of(7)

    assert found_on(slip(7, carried=True), lessons_from(5, carried=True)) == rows_of(7)


def test_lessons_about_lists_are_json_the_same_each_time_without_values() -> None:
    text = json.dumps(lessons_from(4, carried=True)["lists"], sort_keys=True)

    assert text == json.dumps(lessons_from(4, carried=True)["lists"], sort_keys=True)
    assert not [name for name in (*NAMES, "Ubertrug", "77.10") if name.casefold() in text.casefold()]


def test_a_list_is_learned_only_if_that_is_better_on_examples_held_back() -> None:
    taught, nonsense = (
        cross_validate(
            LocalFields(),
            [
                VerifiedExample(
                    material(slip(n)),
                    SCHEMA,
                    {
                        f"goods[{at}].{name}": value if real else f"{value}{n}{at}"
                        for at, row in enumerate(rows_of(n))
                        for name, value in row.items()
                    },
                    {},
                    whole=True,
                )
                for n in range(4)
            ],
            lambda: None,
        )
        for real in (True, False)
    )

    assert list(taught.lessons["lists"]) == ["goods"]
    assert taught.trained.f1 == 1.0
    assert nonsense.lessons["lists"] == {}
