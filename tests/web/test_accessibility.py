"""Every page by the rules of WCAG 2.2 AA, as far as axe can tell; light and dark, on a desk and in a hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.people import Office, Person

Arrive = Callable[..., Person]

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
INVOICE = b"""INVOICE
Vendor: Harbour Supplies Ltd
Invoice number: 4711
Invoice date: 2026-03-04
Total: 119.00 EUR
"""
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_every_page_can_be_used_by_everybody(
    office: Office, arrive: Arrive, scheme: str, viewport: dict[str, int]
) -> None:
    document_id = office.upload(INVOICE, "invoice.txt", schema="invoice")
    broken_id = office.upload(b"%POISON refuse The file ends in the middle.", "broken.bin")
    office.settled(document_id)
    office.settled(broken_id)
    person = arrive(viewport=viewport, color_scheme=scheme)
    person.page.goto("/sign-in")
    expect(person.page.get_by_label("API key")).to_be_visible()
    found = {"/sign-in": breaches(person)}
    person.sign_in(office.admin_key)
    pages = {
        "/documents": "invoice.txt",
        "/documents?q=nothing-is-called-this": "",
        f"/documents/{document_id}": "4711",
        f"/documents/{document_id}?tab=timeline": "",
        f"/documents/{broken_id}": "ends in the middle",
        "/review": "invoice.txt",
        "/search": "",
        "/search?q=harbour": "invoice.txt",
        "/jobs": "broken.bin",
        "/no-such-page": "",
    }
    for path, text in pages.items():
        person.page.goto(path)
        expect(person.page.get_by_role("main")).to_be_visible()
        if text:
            person.sees(text)
        person.page.wait_for_load_state("networkidle")
        found[path] = breaches(person)
    assert {path: found[path] for path in found if found[path]} == {}


def breaches(person: Person) -> list[str]:
    person.page.evaluate(AXE.read_text())
    answer: dict[str, Any] = person.page.evaluate(
        "(rules) => axe.run(document, {runOnly: {type: 'tag', values: rules}})", RULES
    )
    return [f"{each['id']}: {node['html'][:200]}" for each in answer["violations"] for node in each["nodes"]]
