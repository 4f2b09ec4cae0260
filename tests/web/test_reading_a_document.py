"""Upload, watch, result, proof; and what can be done with documents in the list."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Request, expect

from tests.web.people import INVOICE, Office, Person

Arrive = Callable[..., Person]

SAMPLES = Path(__file__).parents[2] / "samples" / "documents"


def test_an_uploaded_document_is_watched_until_its_fields_show_their_location(
    office: Office, arrive: Arrive, shared_folder: Path
) -> None:
    gate = shared_folder / "gate"
    person = arrive()
    person.sign_in(office.admin_key)
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(_status_asked(request)))
    person.upload(
        {"name": "invoice.txt", "mimeType": "text/plain", "buffer": INVOICE.encode()},
        {"name": "slow.txt", "mimeType": "text/plain", "buffer": f"%POISON until {gate}".encode()},
        schema="invoice",
    )
    slow = person.page.get_by_role("row").filter(has_text="slow.txt")
    invoice = person.page.get_by_role("row").filter(has_text="invoice.txt")
    expect(invoice).to_contain_text("Ready")
    expect(slow).to_contain_text(re.compile("Processing|Page 1 of 2"))
    # The one that is settled is left in peace while the other is asked for.
    settled_id = str(office.client.get("/documents", params={"name": "invoice"}).json()["documents"][0]["id"])
    asked.clear()
    with person.page.expect_request(re.compile("/status$")):
        pass
    gate.touch()
    expect(slow).to_contain_text("Ready")
    assert settled_id not in asked

    person.page.get_by_role("link", name="invoice.txt").click()
    person.field("Invoice number").hover()
    expect(person.box("Invoice number")).to_have_attribute("aria-pressed", "true")
    person.box("Due date").click()
    expect(person.field("Due date")).to_have_attribute("aria-pressed", "true")
    expect(person.field("Due date")).to_be_in_viewport()


def _status_asked(request: Request) -> str:
    found = re.search("/documents/([^/]+)/status$", request.url)
    return found.group(1) if found else ""


def test_a_rejected_file_shows_the_reason_next_to_accepted_ones(office: Office, arrive: Arrive) -> None:
    person = arrive()
    person.sign_in(office.admin_key)
    person.upload(
        {
            "name": "program.exe",
            "mimeType": "application/octet-stream",
            "buffer": b"MZ\x90\x00" + bytes(range(256)) * 8,
        },
        {"name": "empty.pdf", "mimeType": "application/pdf", "buffer": b""},
        {"name": "good.txt", "mimeType": "text/plain", "buffer": b"A good letter."},
    )
    expect(person.page.get_by_role("row").filter(has_text="good.txt")).to_contain_text("Ready")
    panel = person.page.get_by_role("region", name=re.compile("upload", re.I))
    expect(panel).to_contain_text("2 of 3 could not be uploaded")
    expect(panel).to_contain_text("Docsieve cannot read this kind of file.")
    expect(panel).to_contain_text("The file is empty.")
    expect(panel.get_by_role("button", name="Retry upload of program.exe")).to_be_visible()


def test_a_failed_document_says_why_and_is_ready_after_another_try(
    office: Office, arrive: Arrive, shared_folder: Path
) -> None:
    mended = shared_folder / "mended"
    document_id = office.upload(f"%POISON flaky {mended}".encode(), "flaky.txt")
    office.settled(document_id)
    person = arrive()
    person.sign_in(office.admin_key)
    row = person.page.get_by_role("row").filter(has_text="flaky.txt")
    expect(row).to_contain_text("Failed")
    person.page.get_by_role("link", name="flaky.txt").click()
    person.sees("The flaky parser failed.")
    mended.touch()
    person.page.get_by_role("button", name=re.compile("try again|retry", re.I)).first.click()
    expect(person.page.get_by_text("Ready").first).to_be_visible()
    assert office.settled(document_id)["status"] == "ready"
    person.page.get_by_role("tab", name="Timeline").click()
    expect(person.page.get_by_role("tabpanel")).to_contain_text("The flaky parser failed.")


def test_a_document_under_way_can_be_cancelled(office: Office, arrive: Arrive, shared_folder: Path) -> None:
    document_id = office.upload(f"%POISON until {shared_folder / 'never'}".encode(), "endless.txt")
    person = arrive()
    person.sign_in(office.admin_key, f"/documents/{document_id}")
    person.page.get_by_role("button", name="Cancel").first.click()
    person.sees("Cancelled")
    assert office.settled(document_id)["status"] == "cancelled"
    [job] = office.client.get("/jobs", params={"document_id": document_id}).json()["jobs"]
    assert job["status"] == "cancelled"


def test_a_deletion_can_be_undone_and_else_happens(office: Office, arrive: Arrive) -> None:
    ids = {name: office.upload(f"The letter {name}.".encode(), f"{name}.txt") for name in ("kept", "gone")}
    for document_id in ids.values():
        office.settled(document_id)
    person = arrive()
    person.sign_in(office.admin_key)
    for name in ids:
        person.page.get_by_role("checkbox", name=f"Select {name}.txt").click()
        person.page.get_by_role("button", name="Delete").click()
        expect(person.page.get_by_role("row").filter(has_text=f"{name}.txt")).to_have_count(0)
        if name == "kept":
            person.page.get_by_role("button", name="Undo").click()
            expect(person.page.get_by_role("row").filter(has_text="kept.txt")).to_have_count(1)
    person.page.reload()  # leaving the page is a decision
    office.service.wait_until(
        lambda: office.client.get(f"/documents/{ids['gone']}").status_code == 404, what="the deletion"
    )
    assert office.client.get(f"/documents/{ids['kept']}").status_code == 200
    expect(person.page.get_by_role("row").filter(has_text="kept.txt")).to_have_count(1)


def test_reading_again_with_another_schema_gives_two_results_that_can_be_compared(
    office: Office, arrive: Arrive
) -> None:
    document_id = office.upload(INVOICE.encode(), "invoice.txt", schema="invoice")
    office.settled(document_id)
    person = arrive()
    person.sign_in(office.admin_key, f"/documents/{document_id}")
    expect(person.field("Invoice number")).to_be_visible()
    person.page.get_by_role("button", name="Reprocess").click()
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_label(re.compile("fields|schema", re.I)).first.select_option("receipt")
    dialog.get_by_role("button", name="Reprocess").click()
    office.service.wait_until(
        lambda: len(office.client.get(f"/documents/{document_id}/extractions").json()["extractions"]) == 2,
        what="the second extraction",
    )
    office.settled(document_id)
    person.page.reload()
    person.page.get_by_role("tab", name="Compare").click()
    expect(person.page.get_by_role("tabpanel")).to_contain_text(re.compile("receipt", re.I))
    expect(person.page.get_by_role("tabpanel").get_by_role("row").nth(1)).to_be_visible()


def test_the_list_on_a_phone_shows_the_kind_and_what_needs_review(office: Office, arrive: Arrive) -> None:
    document_id = office.upload(INVOICE.encode(), "invoice.txt", schema="invoice")
    office.settled(document_id)
    assert office.client.get(f"/documents/{document_id}").json()["needs_review"]
    person = arrive(viewport={"width": 390, "height": 844})
    person.sign_in(office.admin_key)
    row = person.page.get_by_role("row").filter(has_text="invoice.txt")
    expect(row.get_by_text("Invoice · 1 page")).to_be_visible()
    row.get_by_text("Needs review").locator("visible=true").click()
    expect(person.page).to_have_url(re.compile(f"/review.*{document_id}"))


def test_a_document_shows_which_parts_were_not_read(office: Office, arrive: Arrive) -> None:
    rows = ["a,b,c", "1,2,3", "4,5,6", ",".join(["7"] * 16_396)]
    document_id = office.upload("\n".join(rows).encode(), "wide.csv")
    office.settled(document_id)
    person = arrive()
    person.sign_in(office.admin_key)

    person.page.goto(f"/documents/{document_id}")

    expect(person.page.get_by_text("Cells left out: 12")).to_be_visible()


def test_the_content_of_a_document_is_downloaded_as_markdown_and_searchable_pdf(office: Office, arrive: Arrive) -> None:
    person = arrive()
    person.sign_in(office.admin_key)
    agreement = (SAMPLES / "service-agreement.pdf").read_bytes()
    person.upload({"name": "agreement.pdf", "mimeType": "application/pdf", "buffer": agreement})
    expect(person.page.get_by_role("row").filter(has_text="agreement.pdf")).to_contain_text("Ready")
    person.page.get_by_role("link", name="agreement.pdf").click()

    def downloaded(name: str) -> tuple[str, bytes]:
        person.page.get_by_role("button", name="Download").click()
        with person.page.expect_download() as waiting:
            person.page.get_by_text(name, exact=True).click()
        return waiting.value.suggested_filename, waiting.value.path().read_bytes()

    name, content = downloaded("Markdown")
    assert name == "agreement.md"
    assert content.startswith(b"# Service Agreement\n")
    name, content = downloaded("Searchable PDF")
    assert (name, content[:5]) == ("agreement.pdf", b"%PDF-")
