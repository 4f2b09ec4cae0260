"""Every page by the rules of WCAG 2.2 AA, as far as axe can tell; light and dark, on a desk and in a hand."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.services.packets.samples import invoice, letter, pdf
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


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [
        pytest.param(DESK, "light", id="desk-light"),
        pytest.param(PHONE, "dark", id="phone-dark"),
        pytest.param(DESK, "dark", id="desk-dark", marks=pytest.mark.slow),
        pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.slow),
    ],
)
def test_every_page_can_be_used_by_everybody(
    office: Office, arrive: Arrive, scheme: str, viewport: dict[str, int]
) -> None:
    document_id = office.upload(INVOICE, "invoice.txt", schema="invoice")
    broken_id = office.upload(b"%POISON refuse The file ends in the middle.", "broken.bin")
    office.settled(document_id)
    office.settled(broken_id)
    batches = batches_of(office)
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
        "/batches": "March",
        **batches,
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


def batches_of(office: Office) -> dict[str, str]:
    """A batch with results, one that is being set up, an archive and a packet: their addresses, and what they show."""
    ended, draft = (
        office.client.post("/batches", json={"name": name, "schema": "invoice"}).raise_for_status().json()["id"]
        for name in ("March", "April")
    )
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("one.txt", INVOICE)
        archive.writestr("two.txt", "%POISON refuse The file ends in the middle.")
        archive.writestr("empty.txt", "")
    archive_id = office.upload(content.getvalue(), "march.zip", batch=ended)
    office.upload(b"A letter.", "letter.txt", batch=draft)
    office.client.post(f"/batches/{ended}/start").raise_for_status()
    office.service.wait_until(
        lambda: office.client.get(f"/batches/{ended}").json()["status"] == "completed", what="the batch to end"
    )
    pages = [*invoice("A-1", "Harbour Supplies Ltd", pages=2), ["A loose page."], *letter("Clara Keller", pages=2)]
    packet_id = office.upload(pdf(pages), "mail.pdf", split="auto", schema="none")
    office.settled(packet_id)
    return {
        f"/batches/{ended}": "The file is damaged.",
        f"/batches/{draft}": "letter.txt",
        f"/documents/{archive_id}": "An empty file",
        f"/documents/{packet_id}?tab=parts": "Cut after page",
    }


def breaches(person: Person) -> list[str]:
    person.page.evaluate(AXE.read_text())
    answer: dict[str, Any] = person.page.evaluate(
        "(rules) => axe.run(document, {runOnly: {type: 'tag', values: rules}})", RULES
    )
    return [f"{each['id']}: {node['html'][:200]}" for each in answer["violations"] for node in each["nodes"]]
