"""Fields next to the page: their names, and how they are found from their boxes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.people import INVOICE, Office, Person

Arrive = Callable[..., Person]
TITLED = {
    "type": "object",
    "properties": {
        "invoice_number": {"type": "string", "title": "Our file number", "description": "as it is printed at the top"},
        "due_date": {"type": "string", "format": "date"},
        "line_items": {
            "type": "array",
            "title": "Positions",
            "items": {
                "type": "object",
                "properties": {"description": {"type": "string", "title": "Article"}, "quantity": {"type": "number"}},
            },
        },
    },
}


@pytest.fixture
def document_id(office: Office) -> str:
    document_id = office.upload(INVOICE.encode(), "invoice.txt", schema="invoice")
    office.settled(document_id)
    return document_id


@pytest.mark.parametrize("named", [True, False], ids=["a schema with a name", "one that came with the request"])
def test_fields_are_called_as_their_schema_calls_them(
    office: Office, arrive: Arrive, document_id: str, named: bool
) -> None:
    if named:
        office.client.post("/schemas", json={"name": "titled", "schema": TITLED}).raise_for_status()
    asked = {"document_ids": [document_id], "schema": "titled" if named else TITLED}
    office.client.post("/extractions", json=asked).raise_for_status()
    office.settled(document_id)
    person = arrive()
    person.sign_in(office.admin_key, f"/documents/{document_id}")
    number = person.field("Our file number")
    expect(number).to_contain_text("HS-4711")
    expect(number).to_have_attribute("title", "as it is printed at the top")
    expect(person.box("Our file number: HS-4711")).to_be_visible()
    expect(person.field("Due date")).not_to_have_attribute("title", "")
    table = person.page.get_by_role("region", name="Positions")
    expect(table.get_by_role("columnheader", name="Article")).to_be_visible()
    expect(table.get_by_role("columnheader", name="Quantity")).to_be_visible()


def test_clicks_on_a_box_that_fields_share_go_round_them(office: Office, arrive: Arrive, document_id: str) -> None:
    due = office.fields(document_id)["due_date"]
    place = due["evidence"][0]
    shared = {"path": "issue_date", "value": "2026-03-04", "page": place["page"], "box": place["box"]}
    corrected = office.client.patch(f"/extractions/{due['extraction_id']}/fields", json={"fields": [shared]})
    corrected.raise_for_status()
    person = arrive()
    person.sign_in(office.admin_key, f"/documents/{document_id}")
    box = person.box("Due date").bounding_box()
    assert box is not None
    seen: list[str | None] = []
    for _ in range(3):
        before = person.page.locator("button[data-path][aria-pressed=true]")
        lit = before.get_attribute("data-path") if seen else None
        person.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        now = person.page.locator(f"button[data-path][aria-pressed=true]:not([data-path='{lit}'])")
        expect(now).to_be_visible()
        seen.append(now.get_attribute("data-path"))
    assert set(seen) == {"due_date", "issue_date"}
    assert seen[0] == seen[2]
