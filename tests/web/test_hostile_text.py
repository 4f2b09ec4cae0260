"""Scripts and markup in names, text, values and errors are text on every page: no dialog, no breach of the policy."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.people import Office, Person

Arrive = Callable[..., Person]

SCRIPT = "<script>alert('text')</script>"
IMAGE = "<img src=x onerror=alert('name')>"
DRAWING = '"><svg onload=alert(1)>{{7*7}}${7*7}'
INVOICE = f"""INVOICE
Vendor: {SCRIPT} Ltd
Invoice number: 4711
Invoice date: 2026-03-04
{DRAWING} javascript:alert(2)
Total: 119.00 EUR
"""


def test_hostile_text_is_text_on_every_page(office: Office, arrive: Arrive) -> None:
    name = f"{IMAGE} invoice.txt"
    document_id = office.upload(
        INVOICE.encode(), name, schema="invoice", metadata='{"<b>": "<script>alert(3)</script>"}'
    )
    failed_id = office.upload(f"%POISON refuse {SCRIPT}{IMAGE}".encode(), f"{IMAGE} broken.txt")
    office.settled(document_id)
    office.settled(failed_id)
    extraction_id = office.client.get(f"/documents/{document_id}/fields").raise_for_status().json()["extraction_id"]
    fixes = {"fields": [{"path": "seller.name", "value": DRAWING, "note": SCRIPT}]}
    office.client.patch(f"/extractions/{extraction_id}/fields", json=fixes).raise_for_status()

    person = arrive()
    page = person.page
    person.sign_in(office.admin_key)
    person.sees(name)
    page.goto(f"/documents/{document_id}")
    person.sees(name)
    person.sees(DRAWING)
    for tab in ("text", "json", "timeline"):
        page.goto(f"/documents/{document_id}?tab={tab}")
        person.sees(SCRIPT if tab != "timeline" else name)
    page.goto(f"/documents/{failed_id}")
    person.sees(SCRIPT)
    page.goto(f"/review?document={document_id}")
    person.sees(name)
    page.goto("/search?q=vendor")
    person.sees(name)
    page.goto("/jobs")
    person.sees(SCRIPT)
    page.goto(f"/search?q={IMAGE}")
    expect(page.get_by_role("searchbox")).to_have_value(IMAGE)
    page.goto(f"/documents/{IMAGE}")
    expect(page.get_by_role("main")).to_be_visible()
    assert page.locator("main script, main img[src=x], main svg[onload]").count() == 0


def test_a_name_that_turns_its_own_direction_is_shown_as_it_is_stored(office: Office, arrive: Arrive) -> None:
    """Shown plainly, `invoice<U+202E>fdp.exe` looks like a PDF."""
    name, shown = "invoice\u202efdp.exe", "invoice[U+202E]fdp.exe"
    document_id = office.upload(INVOICE.encode(), name, schema="invoice")
    office.settled(document_id)
    office.settled(office.upload(b"%POISON refuse", name))
    assert office.client.get(f"/documents/{document_id}").json()["filename"] == name
    person = arrive()
    person.sign_in(office.admin_key)
    for path in (
        "/documents",
        f"/documents/{document_id}",
        f"/review?document={document_id}",
        "/search?q=vendor",
        "/jobs",
    ):
        person.page.goto(path)
        person.sees(shown)
        page = person.page.content()
        assert "\u202e" not in page, path


def test_the_watch_on_the_policy_sees_a_breach(office: Office, arrive: Arrive) -> None:
    """The guard of all these tests, tried: a script written into the page does not run, and is noticed."""
    person = arrive()
    person.page.goto("/sign-in")
    expect(person.page.get_by_label("API key")).to_be_visible()
    breached = person.page.evaluate(
        """() => new Promise((resolve) => {
          addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective));
          try { document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.ran = true'>"); }
          catch (refused) { console.log(refused.message); }
        })"""
    )
    assert breached == "require-trusted-types-for"
    assert person.page.evaluate("window.ran") is None
    assert person.troubles != []
    person.troubles.clear()
