"""Reviewing: by keyboard alone, by a drawn box, with a way back, over all documents, and who did what."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.web.people import INVOICE, Office, Person

Arrive = Callable[..., Person]


@pytest.fixture
def document_id(office: Office) -> str:
    document_id = office.upload(INVOICE.encode(), "invoice.txt", schema="invoice")
    office.settled(document_id)
    return document_id


def due(office: Office, document_id: str) -> dict[str, dict[str, Any]]:
    return {path: field for path, field in office.fields(document_id).items() if field["needs_review"]}


def card(person: Person) -> Locator:
    return person.page.locator("[data-review-current]")


def test_a_document_is_reviewed_by_keyboard_alone(office: Office, arrive: Arrive, document_id: str) -> None:
    asked = due(office, document_id)
    assert asked, "the sample must leave something to review"
    person = arrive()
    person.sign_in(office.admin_key, f"/review?document={document_id}")
    keyboard = person.page.keyboard
    expect(person.page.get_by_text(f"{len(asked)} left")).to_be_visible()
    keyboard.press("e")
    keyboard.press("Control+a")
    keyboard.type("Corrected by hand")
    keyboard.press("Enter")
    for left in range(len(asked) - 1, 0, -1):
        expect(person.page.get_by_text(f"{left} left")).to_be_visible()
        keyboard.press("Enter")
    person.sees("Document reviewed")
    office.service.wait_until(lambda: not due(office, document_id), what="all reviews saved")
    fields = office.fields(document_id)
    corrected = [field for field in fields.values() if field["correction"]]
    assert [field["correction"]["new_value"] for field in corrected] == ["Corrected by hand"]
    assert corrected[0]["correction"]["made_by_name"] == "Ada"
    assert sum(field["accepted"] is not None for field in fields.values()) == len(asked) - 1

    keyboard.press("u")
    office.service.wait_until(lambda: len(due(office, document_id)) == 1, what="the last decision taken back")


# How far the hand is off at each side, in points: around the words, or across their edges.
@pytest.mark.parametrize("off", [(-2, -2, 2, 2), (5, 4, -5, 3), (5, 4, -5, -4)], ids=["around", "clipped", "through"])
def test_a_value_is_corrected_by_drawing_a_box_around_it(
    office: Office, arrive: Arrive, document_id: str, off: tuple[int, int, int, int]
) -> None:
    path = next(iter(due(office, document_id)))
    person = arrive()
    person.sign_in(office.admin_key, f"/review?document={document_id}")
    expect(card(person)).to_be_visible()
    # The location of the clinic's name, from the words of the page.
    page = office.client.get(f"/documents/{document_id}/pages/1").raise_for_status().json()
    words = [word for line in page["lines"] for word in line["words"] if word["text"] in ("Northern", "Clinic")]
    x0, y0 = min(word["box"][0] for word in words), min(word["box"][1] for word in words)
    x1, y1 = max(word["box"][2] for word in words), max(word["box"][3] for word in words)
    person.page.get_by_role("button", name=re.compile("^Draw a box( B)?$")).click()
    layer = person.page.get_by_role("button", name=re.compile("Draw a box. Arrow keys"))
    area = layer.bounding_box()
    assert area is not None
    across, down = area["width"] / page["width"], area["height"] / page["height"]
    person.page.mouse.move(area["x"] + (x0 + off[0]) * across, area["y"] + (y0 + off[1]) * down)
    person.page.mouse.down()
    person.page.mouse.move(area["x"] + (x1 + off[2]) * across, area["y"] + (y1 + off[3]) * down, steps=5)
    person.page.mouse.up()
    expect(card(person).get_by_role("textbox")).to_have_value("Northern Clinic")
    person.page.keyboard.press("Enter")
    office.service.wait_until(lambda: office.fields(document_id)[path]["correction"], what="the correction")
    correction = office.fields(document_id)[path]["correction"]
    assert (correction["new_value"], correction["page"]) == ("Northern Clinic", 1)
    assert correction["box"] == pytest.approx([x0, y0, x1, y1])


def test_another_value_that_fits_is_one_click_away_with_its_place(office: Office, arrive: Arrive) -> None:
    letter = "Meeting room: Oak\n\n\n\nMeeting room: Elm\n"
    schema = {"type": "object", "properties": {"meeting_room": {"type": "string", "x-threshold": 1.0}}}
    document_id = office.upload(letter.encode(), "rooms.txt", schema=json.dumps(schema))
    office.settled(document_id)
    field = due(office, document_id)["meeting_room"]
    [doubt] = field["doubts"]
    [other] = {"Oak", "Elm"} - {field["value"]}
    person = arrive()
    person.sign_in(office.admin_key, f"/review?document={document_id}")
    expect(card(person).get_by_text(f"Two values fit: '{field['value']}' and '{other}'.")).to_be_visible()
    card(person).get_by_role("button", name=f"Use “{other}”").click()
    expect(card(person).get_by_role("textbox")).to_have_value(other)
    person.page.keyboard.press("Enter")
    office.service.wait_until(lambda: office.fields(document_id)["meeting_room"]["correction"], what="the correction")
    correction = office.fields(document_id)["meeting_room"]["correction"]
    assert (correction["new_value"], correction["page"]) == (other, 1)
    assert correction["box"] == pytest.approx(doubt["evidence"][0]["box"])


def test_the_queue_goes_over_all_documents_and_says_how_many_are_left(office: Office, arrive: Arrive) -> None:
    first = office.upload(INVOICE.encode(), "first.txt", schema="invoice")
    second = office.upload(INVOICE.replace("4711", "4712").encode(), "second.txt", schema="invoice")
    for document_id in (first, second):
        office.settled(document_id)
    asked = len(due(office, first)) + len(due(office, second))
    person = arrive()
    person.sign_in(office.admin_key, "/review")
    expect(person.page.get_by_text(f"{asked} fields in 2 documents left")).to_be_visible()
    person.page.keyboard.press("Enter")
    expect(person.page.get_by_text(f"{asked - 1} fields in 2 documents left")).to_be_visible()
    shown = person.page.get_by_role("heading", name="Review").locator("xpath=..").get_by_role("link").inner_text()
    person.page.keyboard.press("s")
    other = "second.txt" if shown == "first.txt" else "first.txt"
    expect(person.page.get_by_role("link", name=other)).to_be_visible()


def test_who_may_only_read_sees_the_queue_and_changes_nothing(office: Office, arrive: Arrive, document_id: str) -> None:
    asked = due(office, document_id)
    person = arrive()
    person.sign_in(office.key("Reader", "read")["key"], f"/review?document={document_id}")
    expect(card(person)).to_be_visible()
    expect(person.page.get_by_role("button", name=re.compile("Accept|Draw a box|Not in document"))).to_have_count(0)
    person.page.keyboard.press("Enter")
    person.page.keyboard.press("x")
    assert due(office, document_id).keys() == asked.keys()
