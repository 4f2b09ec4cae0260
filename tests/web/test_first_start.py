"""The first minute: nothing there yet, samples are offered, and soon there are results with their proof."""

import re
from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests.web.people import Office, Person


def test_an_empty_start_offers_samples_and_shows_their_results_with_proof(
    office: Office, arrive: Callable[..., Person]
) -> None:
    person = arrive()
    person.sign_in(office.admin_key)
    person.sees("Drop your first document here")
    person.page.get_by_role("button", name="Try all samples").click()
    expect(person.page.get_by_role("row").filter(has_text="Ready")).to_have_count(4, timeout=180_000)
    person.page.get_by_role("link", name=re.compile("invoice", re.I)).first.click()
    person.field("Invoice number").hover()
    expect(person.box("Invoice number")).to_have_attribute("aria-pressed", "true")
    documents = office.client.get("/documents").json()["documents"]
    for document in documents:
        office.settled(document["id"])
    read = [office.client.get(f"/documents/{document['id']}").json() for document in documents]
    sure = {document["filename"]: (document["status"], document["confidence"]) for document in read}
    assert len(sure) == 4
    assert all(status == "ready" and confidence > 0.5 for status, confidence in sure.values()), sure


def test_an_upload_begun_before_the_list_is_known_stays_open_when_the_list_is_empty(
    office: Office, arrive: Callable[..., Person]
) -> None:
    person = arrive()
    held: list[Route] = []
    person.page.route(re.compile(r"/documents\?"), lambda route: held.append(route))
    person.sign_in(office.admin_key)
    person.page.get_by_role("button", name="Upload", exact=True).click()
    dialog = person.page.get_by_role("dialog", name="Upload documents")
    expect(dialog).to_be_visible()
    for route in held:
        route.continue_()
    expect(person.page.get_by_text("Drop your first document here")).to_be_attached()
    expect(dialog).to_be_visible()
