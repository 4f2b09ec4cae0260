"""A month of work at once: a batch from its first file to the downloaded table, and what surrounds it."""

import csv
import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.services.packets.samples import invoice, letter, pdf
from tests.web.people import INVOICE, Office, Person

Arrive = Callable[..., Person]
BROKEN = b"%POISON refuse The file ends in the middle."


def _zip(**files: bytes | str) -> FilePayload:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/") + ".txt", text)
    return {"name": "march.zip", "mimeType": "application/zip", "buffer": content.getvalue()}


def _create(person: Person, name: str, *, grouping: str) -> None:
    person.page.get_by_role("button", name="New batch").click()
    dialog = person.page.get_by_role("dialog", name="New batch")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Fields to extract").select_option("invoice")
    dialog.get_by_label("Grouping").select_option(grouping)
    dialog.get_by_role("button", name="Create and add files").click()
    expect(person.page.get_by_role("heading", name=name)).to_be_visible()


def _add(person: Person, *files: FilePayload) -> None:
    person.page.get_by_role("button", name="Add files").click()
    dialog = person.page.get_by_role("dialog", name="Add files to the batch")
    with person.page.expect_file_chooser() as chooser:
        dialog.get_by_role("button", name="Choose files").click()
    chooser.value.set_files(list(files))


def _row(page: Page, group: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=re.compile(re.escape(group))))


def test_an_archive_becomes_a_table_that_is_reviewed_on_the_page_and_downloaded(
    office: Office, arrive: Arrive, tmp_path: Path
) -> None:
    person = arrive()
    person.sign_in(office.admin_key, "/batches")
    person.sees("No batches yet")
    _create(person, "March", grouping="folder")
    _add(person, _zip(harbour__invoice=INVOICE, harbour__annex="Annex to the invoice.", broken__scan=BROKEN))
    page = person.page
    preview = page.get_by_role("region", name="Preview of the groups")
    expect(preview).to_contain_text("2 groups")
    expect(preview.get_by_role("listitem").filter(has_text="harbour").first).to_contain_text("2 documents")

    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("region", name="Progress")).to_contain_text("2 of 2 finished")
    expect(_row(page, "broken")).to_contain_text("scan.txt: The file is damaged.")
    harbour = _row(page, "harbour")
    expect(harbour).to_contain_text("119")
    expect(harbour).to_contain_text("2 documents")

    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "March.csv"
    download.value.save_as(tmp_path / "March.csv")
    rows = list(csv.DictReader((tmp_path / "March.csv").open(encoding="utf-8-sig", newline="")))
    assert [(row["group"], row["status"], row["invoice_number"]) for row in rows] == [
        ("broken", "failed", ""),
        ("harbour", "completed", "HS-4711"),
    ]

    harbour.get_by_role("link", name="HS-4711").click()
    expect(person.box("Invoice number")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name=re.compile("of a batch")).click()
    expect(page.get_by_role("heading", name="March")).to_be_visible()


def test_every_format_of_the_export_is_offered_with_and_without_evidence(office: Office, arrive: Arrive) -> None:
    batch = _started(office, "April")
    person = arrive()
    person.sign_in(office.admin_key, f"/batches/{batch}")
    person.page.get_by_role("button", name="Export").click()
    person.page.get_by_label("With confidence and location").check()
    for label, name in (("Excel", "xlsx"), ("CSV", "csv"), ("JSON lines", "jsonl"), ("Parquet", "parquet")):
        link = person.page.get_by_role("link", name=label)
        answer = office.client.get(str(link.get_attribute("href")).removeprefix("/api/v1"))
        assert (answer.status_code, f"April.{name}" in answer.headers["content-disposition"]) == (200, True)
        assert "evidence=true" in str(answer.url)


def _started(office: Office, name: str, *contents: bytes) -> str:
    batch = office.client.post("/batches", json={"name": name, "schema": "invoice"}).raise_for_status().json()["id"]
    for number, content in enumerate(contents or (INVOICE.encode(),)):
        office.settled(office.upload(content, f"file-{number}.txt", batch=batch))
    office.client.post(f"/batches/{batch}/start").raise_for_status()
    return str(batch)


def _status(office: Office, batch: str) -> str:
    return str(office.client.get(f"/batches/{batch}").raise_for_status().json()["status"])


def test_changing_the_grouping_changes_the_preview_and_a_document_can_be_removed(
    office: Office, arrive: Arrive
) -> None:
    batch = office.client.post("/batches", json={"name": "May"}).raise_for_status().json()["id"]
    for name in ("A-1 first.txt", "A-1 second.txt", "B-2.txt"):
        office.settled(office.upload(b"A letter.", name, batch=batch))
    person = arrive()
    person.sign_in(office.admin_key, f"/batches/{batch}")
    preview = person.page.get_by_role("region", name="Preview of the groups")
    expect(preview).to_contain_text("3 groups")
    person.page.get_by_label("Grouping").select_option("pattern")
    expect(preview).to_contain_text("2 groups")
    person.page.get_by_label("Pattern").fill("(")
    person.page.get_by_label("Pattern").press("Enter")
    expect(person.page.get_by_role("alert")).to_be_visible()
    person.page.get_by_role("button", name="Remove B-2.txt from the batch").click()
    expect(preview).to_contain_text("1 group")


def test_a_running_batch_is_cancelled_and_deleted_after_asking(
    office: Office, arrive: Arrive, shared_folder: Path
) -> None:
    batch = office.client.post("/batches", json={"name": "June", "schema": "invoice"}).raise_for_status().json()["id"]
    office.upload(f"%POISON until {shared_folder / 'never'}".encode(), "endless.txt", batch=batch)
    office.client.post(f"/batches/{batch}/start").raise_for_status()
    person = arrive()
    person.sign_in(office.admin_key, "/batches")
    person.page.get_by_role("link", name="June").click()
    page = person.page
    page.get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel batch").click()
    expect(page.get_by_text("Cancelled").first).to_be_visible()
    assert _status(office, batch) == "cancelled"
    page.get_by_role("button", name="Delete batch").click()
    dialog = page.get_by_role("dialog", name="Delete June?")
    dialog.get_by_label("Also delete its 1 document").check()
    dialog.get_by_role("button", name="Delete").click()
    person.sees("No batches yet")
    assert office.client.get(f"/batches/{batch}").status_code == 404
    assert office.client.get("/documents").json()["documents"] == []


def test_a_failed_group_is_retried(office: Office, arrive: Arrive) -> None:
    batch = _started(office, "July", INVOICE.encode(), BROKEN)
    person = arrive()
    person.sign_in(office.admin_key, f"/batches/{batch}")
    page = person.page
    expect(page.get_by_role("region", name="Progress")).to_contain_text("2 of 2 finished")
    page.get_by_role("link", name=re.compile("^Failed")).click()
    expect(page.get_by_role("rowheader")).to_have_count(1)
    page.get_by_role("button", name="Retry 1 failed").click()
    person.sees("1 extraction will run again.")


def test_a_key_that_may_only_read_sees_results_and_exports_but_no_actions(office: Office, arrive: Arrive) -> None:
    batch = _started(office, "August")
    person = arrive()
    person.sign_in(office.key("Reader", "read")["key"], f"/batches/{batch}")
    expect(_row(person.page, "file-0.txt")).to_contain_text("HS-4711")
    expect(person.page.get_by_role("button", name="Export")).to_be_visible()
    for name in ("Add files", "Delete batch", "Start"):
        expect(person.page.get_by_role("button", name=name)).to_have_count(0)


def test_a_result_over_several_documents_names_all_and_leads_to_where_a_value_was_found(
    office: Office, arrive: Arrive
) -> None:
    properties = {name: {"type": "string"} for name in ("patient_name", "hemoglobin")}
    texts = {"letter.txt": b"Patient name: Erika Beispiel", "lab.txt": b"Hemoglobin: 13.5", "scan.txt": BROKEN}
    ids = [office.upload(text, name, schema="none") for name, text in texts.items()]
    for document_id in ids:
        office.settled(document_id)
    body = {"document_ids": ids, "schema": {"type": "object", "properties": properties}, "allow_missing": True}
    extraction = office.client.post("/extractions", json=body).raise_for_status().json()["id"]
    office.service.wait_until(
        lambda: office.client.get(f"/extractions/{extraction}").json()["status"] == "completed", what="the report"
    )
    person = arrive()
    person.sign_in(office.admin_key, f"/extractions/{extraction}")
    documents = person.page.get_by_role("region", name="Documents of this result")
    for name in texts:
        expect(documents).to_contain_text(name)
    expect(documents).to_contain_text("left out")
    expect(person.field("Hemoglobin")).to_contain_text("In lab.txt")
    person.field("Hemoglobin").click()
    expect(person.page.get_by_role("heading", name="lab.txt")).to_be_visible()
    expect(person.box("Hemoglobin")).to_have_attribute("aria-pressed", "true")


def test_an_archive_shows_its_entries_and_does_not_claim_to_be_unreadable(office: Office, arrive: Arrive) -> None:
    archive = _zip(march__invoice=INVOICE, march__empty="")
    document_id = office.upload(archive["buffer"], archive["name"])
    office.service.wait_until(
        lambda: office.client.get(f"/documents/{document_id}").json()["status"] == "unpacked", what="unpacked"
    )
    person = arrive()
    person.sign_in(office.admin_key, f"/documents/{document_id}?tab=fields")
    entries = person.page.get_by_role("region", name="Entries")
    expect(entries).to_contain_text("An empty file")
    expect(person.page.get_by_role("tab")).to_have_text(["Timeline"])
    expect(person.page.get_by_text("could not be read")).to_have_count(0)
    entries.get_by_role("link", name="march/invoice.txt").click()
    expect(person.page.get_by_role("heading", name="invoice.txt")).to_be_visible()


def test_an_uncertain_cut_is_decided_and_a_missed_one_is_added(office: Office, arrive: Arrive) -> None:
    statement = ["Statement of account", "12 March 2026", "Balance 100.00"]
    pages = [*invoice("A-1", "Harbour Supplies Ltd", pages=2), statement, *letter("Clara Keller", pages=2)]
    document_id = office.upload(pdf(pages), "mail.pdf", split="auto", schema="none")
    office.settled(document_id)
    person = arrive()
    person.sign_in(office.admin_key, f"/documents/{document_id}?tab=parts")
    panel = person.page.get_by_role("tabpanel")
    expect(panel).to_contain_text("1 cut needs review.")
    panel.get_by_role("button", name="Cut here").click()
    expect(panel).to_contain_text("5 pages hold 3 documents.")
    panel.get_by_label("Cut after page").fill("4")
    panel.get_by_role("button", name="Add cut").click()
    expect(panel).to_contain_text("5 pages hold 4 documents.")
    expect(panel).to_contain_text("added by a person")
