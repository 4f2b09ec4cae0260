"""What verified documents teach the local engine."""

import json
from typing import Any

import pytest

from docsieve.domain.extraction import Material, Spot
from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.engine import LocalFields
from docsieve.engines.port import Example
from tests.engines.local.drawing import line, material, page

learn = LocalFields().learn

STRANGE: Schema = {
    "type": "object",
    "properties": {"ticket": {"type": "string"}, "load": {"type": "number"}, "web_site": {"type": "string"}},
}


def slip(number: int) -> Page:
    """A layout whose labels say nothing about what the fields are called."""
    return page(
        [
            line(40, 40, "NORTH QUARRY WEIGHBRIDGE", 14),
            line(40, 80, "Lfd"),
            line(200, 80, f"Q{number:05d}"),
            line(40, 94, "Brt"),
            line(200, 94, f"{number + 20}.50"),
            line(40, 108, "Tar"),
            line(200, 108, f"{number + 3}.25"),
            line(40, 140, "Grube"),
            line(200, 140, f"Pit {'ABCDEFGHIJKL'[number % 12]} east"),
            line(40, 170, "Danke und gute Fahrt"),
        ]
    )


def truth(number: int) -> dict[str, Any]:
    return {"ticket": f"Q{number:05d}", "load": number + 3.25, "web_site": f"Pit {'ABCDEFGHIJKL'[number % 12]} east"}


def example(number: int) -> Example:
    return Example(material(slip(number)), STRANGE, truth(number))


def values(found_on: Page, lessons: dict[str, Any] | None) -> dict[str, Any]:
    proposal = LocalFields().propose([Material("new", [found_on])], STRANGE, lessons=lessons)
    return {path: each.value for path, each in proposal.found.items() if each.value is not None}


def test_ten_corrected_documents_of_one_layout_make_the_eleventh_right() -> None:
    assert values(slip(11), None) != truth(11)

    lessons = learn([example(number) for number in range(10)])

    assert values(slip(11), lessons) == truth(11)


def test_lessons_are_json_the_same_each_time_and_hold_no_value_of_a_single_document() -> None:
    lessons = learn([example(number) for number in range(10)])

    text = json.dumps(lessons, sort_keys=True)
    assert text == json.dumps(learn([example(number) for number in range(10)]), sort_keys=True)
    assert json.loads(text) == lessons
    assert not [number for number in range(10) if f"Q{number:05d}" in text or truth(number)["web_site"] in text]


def test_lessons_do_not_grow_without_end() -> None:
    few = len(json.dumps(learn([example(number) for number in range(20)])))
    many = len(json.dumps(learn([example(number) for number in range(400)])))

    assert many < 4 * few + 50_000


def test_lessons_about_another_layout_leave_a_document_as_it_was() -> None:
    other = page([line(40, 40, "Something else"), line(40, 80, "Ticket: T-1"), line(40, 94, "Load: 9.75")])
    lessons = learn([example(number) for number in range(10)])

    assert values(other, lessons) == values(other, None) == {"ticket": "T-1", "load": 9.75}


def test_examples_without_values_teach_nothing() -> None:
    assert learn([])["fields"] == {}
    assert (
        learn([Example(material(slip(1)), STRANGE, {"ticket": None, "load": None, "web_site": None})])["fields"] == {}
    )


def test_a_sender_s_name_that_ocr_misreads_is_spelled_as_people_verified_it() -> None:
    schema: Schema = {"type": "object", "properties": {"company": {"type": "string"}}}

    def scan(name: str) -> list[Material]:
        made = page([line(100, 40, name, 14), line(100, 60, "12 Long Road, 43200 Cheras"), line(40, 90, "Total 5.00")])
        made.origin = "ocr"
        return material(made)

    lessons = learn([Example(scan("IRON & OAK TRADING"), schema, {"company": "IRON & OAK TRADING"})])

    for misread in ("1RON & OAK TRADlNG", "IRON & OAK TRADINC"):
        found = LocalFields().propose(scan(misread), schema, lessons=lessons).found
        assert found["company"].value == "IRON & OAK TRADING"


def twice(number: int, *, gross: float, net: float) -> Page:
    """Two weights under unknown labels, which are often the same."""
    return page(
        [
            line(40, 40, "NORTH QUARRY WEIGHBRIDGE", 14),
            line(40, 80, "Lfd"),
            line(200, 80, f"Q{number:05d}"),
            line(40, 94, "Brt"),
            line(200, 94, f"{gross:.2f}"),
            line(40, 128, "Zug"),
            line(200, 128, f"{net:.2f}"),
            line(40, 170, "Danke und gute Fahrt"),
            line(40, 190, "Werk Nord"),
        ]
    )


@pytest.mark.parametrize(("label", "top"), [("Brt", 94), ("Zug", 128)])
def test_a_drawn_box_selects_one_of_two_equal_values(label: str, top: float) -> None:
    schema: Schema = {"type": "object", "properties": {"load": {"type": "number"}}}
    drawn = {"load": [Spot(1, (195.0, top - 3.0, 260.0, top + 12.0))]}
    examples = [
        Example(material(twice(number, gross=number + 7.25, net=number + 7.25)), schema, {"load": number + 7.25}, drawn)
        for number in range(4)
    ]

    lessons = learn(examples)

    new = material(twice(9, gross=31.5, net=18.75))
    found = LocalFields().propose(new, schema, lessons=lessons).found
    assert found["load"].value == {"Brt": 31.5, "Zug": 18.75}[label]


def test_a_drawn_box_locates_a_text_that_people_write_differently() -> None:
    schema: Schema = {"type": "object", "properties": {"place": {"type": "string"}}}
    drawn = {"place": [Spot(1, (195.0, 135.0, 330.0, 155.0))]}
    examples = [Example(material(slip(number)), schema, {"place": f"Quarry {number}"}, drawn) for number in range(4)]

    found = LocalFields().propose(material(slip(8)), schema, lessons=learn(examples)).found

    assert found["place"].value == "Pit I east"
    assert LocalFields().propose(material(slip(8)), schema, lessons=None).found["place"].value is None


def test_a_drawn_box_locates_a_value_that_was_misread() -> None:
    schema: Schema = {"type": "object", "properties": {"load": {"type": "number"}}}
    drawn = {"load": [Spot(1, (195.0, 125.0, 260.0, 140.0))]}
    examples = [
        Example(material(twice(number, gross=number + 3.5, net=number + 1.25)), schema, {"load": 900.0}, drawn)
        for number in range(4)
    ]

    found = LocalFields().propose(material(twice(9, gross=31.5, net=18.75)), schema, lessons=learn(examples)).found

    assert found["load"].value == 18.75


@pytest.mark.parametrize("kept", [{}, {"format": 0}, {"format": "1"}, {"format": 3, "fields": []}])
def test_lessons_of_an_unknown_format_are_ignored(kept: dict[str, Any]) -> None:
    assert values(slip(11), kept) == values(slip(11), None)
