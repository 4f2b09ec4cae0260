"""Takes screenshots of every page of the dashboard, light and dark, desktop and phone, against a real service.

python -m docs.screenshots OUT_FOLDER [SCENE …]

The pictures in docs/images are `documents-desktop-light`, `document-field-desktop-light`, `batch-done-desktop-light`,
`review-desktop-dark` and `document-field-phone-light`.

With DOCSIEVE_URL and DOCSIEVE_API_KEY set, that service is used instead of a temporary one; the URL may be that of
`npm run dev`.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks.dashboards import chromium
from docs import screenshot_files as files
from docs.screenshot_service import TIMEOUT_MS, Tenant, running_service, wait_until
from playwright.sync_api import Browser, Page, expect, sync_playwright

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
DECODED = """Promise.all([...document.images].filter(({complete}) => complete)
    .map((image) => image.decode().catch(() => null)))"""
ALL_DRAWN = """() => !document.querySelector(".animate-pulse")
    && (!document.querySelector('[role=group][aria-label^="Page "]') || document.querySelector('img[alt^="Page "]'))
    && [...document.images].every((image) => (image.complete && image.naturalWidth > 0)
      || (image.loading === "lazy" && image.getBoundingClientRect().top > innerHeight))"""


@dataclass
class Scenery:
    """What the screenshots show: a tenant with its documents and batches by purpose, and a tenant without any."""

    tenant: Tenant
    fresh: Tenant
    documents: dict[str, str]
    batches: dict[str, str]


def prepare(operator: Tenant) -> Scenery:
    tenant = operator.create_tenant("kestrel-finch")
    documents = {
        "locked": tenant.upload("payroll-2026-02.pdf", files.locked_pdf()),
        "damaged": tenant.upload("scan-0007.pdf", files.DAMAGED),
        "letter": tenant.upload("letter-lamps.txt", files.LETTER.encode()),
        "prices": tenant.upload("price-list.csv", files.PRICES.encode()),
        "packet": tenant.upload("mail-of-the-morning.pdf", files.packet(), split="auto", schema="none"),
    }
    for sample in tenant.call("POST", "/samples", json={"names": None})["documents"]:
        documents[sample["filename"].split("-")[0]] = sample["id"]
    for document_id in documents.values():
        tenant.settle(document_id)
    batches = {"done": done_batch(tenant, documents), "draft": draft_batch(tenant)}
    documents["scan"] = tenant.upload("archive-2019.pdf", files.scanned_pages(40), priority="-10")
    batches["running"] = running_batch(tenant)
    return Scenery(tenant, operator.create_tenant("first-start"), documents, batches)


def done_batch(tenant: Tenant, documents: dict[str, str]) -> str:
    """Completed, with a group that failed. Its archive is one of the documents."""
    batch = new_batch(tenant, "Invoices of March", group_by={"mode": "folder"})
    documents["archive"] = tenant.upload("march-2026.zip", files.archive(), batch=batch)
    tenant.call("POST", f"/batches/{batch}/start")
    wait_until(lambda: tenant.call("GET", f"/batches/{batch}")["status"] == "completed", seconds=180)
    return batch


def draft_batch(tenant: Tenant) -> str:
    batch = new_batch(tenant, "Orders of week 12", group_by={"mode": "pattern", "pattern": "^(?P<group>[A-Z]+-[0-9]+)"})
    for name in ("PO-101 page 1.txt", "PO-101 page 2.txt", "PO-102.txt", "notes.txt"):
        tenant.settle(tenant.upload(name, files.LETTER.encode(), batch=batch))
    return batch


def running_batch(tenant: Tenant) -> str:
    """It waits for a long scan, behind the one that the other scenes show."""
    batch = new_batch(tenant, "Supplier invoices 2026")
    for number in range(12):
        tenant.settle(tenant.upload(f"invoice-{number + 1:03}.pdf", files.invoice(number), batch=batch))
    tenant.upload("supplement.pdf", files.scanned_pages(40), batch=batch)
    tenant.call("POST", f"/batches/{batch}/start")
    wait_until(lambda: tenant.call("GET", f"/batches/{batch}")["progress"]["completed"] >= 8, seconds=180)
    return batch


def new_batch(tenant: Tenant, name: str, **settings: Any) -> str:
    return str(tenant.call("POST", "/batches", json={"name": name, "schema": "invoice", **settings})["id"])


def go(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()


def sign_in(page: Page, scenery: Scenery) -> None:
    page.context.clear_cookies()
    page.goto("/sign-in")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def first_start(page: Page, scenery: Scenery) -> None:
    page.context.clear_cookies()
    enter(page, scenery.fresh)
    expect(page.get_by_role("button", name="Try all samples")).to_be_visible()


def enter(page: Page, tenant: Tenant) -> None:
    page.goto("/sign-in")
    page.get_by_label("API key").fill(tenant.key)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()


def documents(page: Page, scenery: Scenery) -> None:
    go(page, "/documents")
    expect(page.get_by_role("row").filter(has_text="Ready").first).to_be_visible()
    page.wait_for_timeout(400)  # thumbnails are requested once their row is visible


def selection(page: Page, scenery: Scenery) -> None:
    documents(page, scenery)
    for box in page.get_by_role("checkbox", name=re.compile("^Select .*pdf")).all()[1:4]:
        box.check()


def upload(page: Page, scenery: Scenery) -> None:
    documents(page, scenery)
    page.get_by_role("button", name=re.compile("^Upload")).first.click()
    expect(page.get_by_role("dialog", name="Upload documents")).to_be_visible()


def of_document(name: str, query: str, sight: str) -> Callable[[Page, Scenery], None]:
    def show(page: Page, scenery: Scenery) -> None:
        go(page, f"/documents/{scenery.documents[name]}{query}")
        expect(page.get_by_text(re.compile(sight)).first).to_be_attached()

    return show


def of_batch(name: str, sight: str) -> Callable[[Page, Scenery], None]:
    def show(page: Page, scenery: Scenery) -> None:
        go(page, f"/batches/{scenery.batches[name]}")
        expect(page.get_by_text(re.compile(sight)).first).to_be_visible()

    return show


def batches(page: Page, scenery: Scenery) -> None:
    go(page, "/batches")
    expect(page.get_by_text("Invoices of March")).to_be_visible()


def new_batch_dialog(page: Page, scenery: Scenery) -> None:
    batches(page, scenery)
    page.get_by_role("button", name="New batch").click()
    expect(page.get_by_role("dialog", name="New batch")).to_be_visible()


def compare(page: Page, scenery: Scenery) -> None:
    """Runs last, because the other scenes show the newest extraction."""
    invoice = scenery.documents["invoice"]
    if len(scenery.tenant.call("GET", f"/documents/{invoice}/extractions")["extractions"]) < 2:
        schema = scenery.tenant.call("GET", "/schemas/invoice")["schema"]
        schema["properties"]["seller"] = {"type": "string", "description": "Name of the seller"}
        schema["properties"]["due_date"] = {"type": "string", "description": "Due date as printed"}
        scenery.tenant.call("POST", "/extractions", json={"document_ids": [invoice], "schema": schema})
        scenery.tenant.settle(invoice)
    of_document("invoice", "?tab=compare", "differences?")(page, scenery)


def review(page: Page, scenery: Scenery) -> None:
    go(page, "/review")
    expect(page.locator("[data-review-current]")).to_be_visible()


def review_keys(page: Page, scenery: Scenery) -> None:
    review(page, scenery)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def drawing(page: Page, scenery: Scenery) -> None:
    review(page, scenery)
    wait_until_drawn(page)
    page.get_by_role("button", name=re.compile("^Draw a box")).click()
    expect(page.get_by_role("button", name=re.compile("Draw a box. Arrow keys")).first).to_be_visible()


def search(page: Page, scenery: Scenery) -> None:
    go(page, "/search?q=payment")
    expect(page.locator("mark").first).to_be_visible()


def jobs(page: Page, scenery: Scenery) -> None:
    go(page, "/jobs?status=failed")
    expect(page.get_by_text("scan-0007.pdf").first).to_be_visible()


Scene = Callable[[Page, Scenery], None]
# Taken while the long scan is being read.
BUSY: dict[str, Scene] = {
    "documents": documents,
    "selection": selection,
    "upload": upload,
    "reading": of_document("scan", "", "archive-2019"),
    "batches": batches,
    "batch-running": of_batch("running", "2026-417"),
    "jobs": jobs,
}
QUIET: dict[str, Scene] = {
    "document-field": of_document("invoice", "?field=total", "Invoice number|Page"),
    "document-fields": of_document("invoice", "?tab=fields", "Invoice number"),
    "document-text": of_document("discharge", "?tab=text", "discharge"),
    "document-json": of_document("invoice", "?tab=json", "invoice"),
    "document-timeline": of_document("invoice", "?tab=timeline", "Timeline"),
    "document-receipt": of_document("receipt", "?field=total", "receipt"),
    "document-locked": of_document("locked", "", "payroll"),
    "document-damaged": of_document("damaged", "", "scan-0007"),
    "document-no-fields": of_document("letter", "?tab=fields", "letter"),
    "document-entries": of_document("archive", "", "Its path leads out"),
    "document-parts": of_document("packet", "?tab=parts", "needs review"),
    "batch-done": of_batch("done", "2026-417"),
    "batch-draft": of_batch("draft", "PO-101 page 1"),
    "batch-new": new_batch_dialog,
    "review": review,
    "review-keys": review_keys,
    "review-drawing": drawing,
    "search": search,
    "search-empty": lambda page, scenery: go(page, "/search"),
    "nothing-matches": lambda page, scenery: go(page, "/documents?q=zebra"),
    "document-compare": compare,
    "first-start": first_start,
    "sign-in": sign_in,
}


def wait_until_drawn(page: Page) -> None:
    page.wait_for_load_state("load")
    page.wait_for_function(ALL_DRAWN)
    page.evaluate(DECODED)
    page.wait_for_timeout(300)  # scrolling to a box, fading in


def opened(browser: Browser, tenant: Tenant) -> dict[str, Page]:
    """A signed-in page per size and color scheme, by the suffix of its screenshots."""
    pages = {}
    for size, (width, height) in SIZES.items():
        for scheme in SCHEMES:
            context = browser.new_context(
                base_url=tenant.url,
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                has_touch=size == "phone",
                reduced_motion="reduce",
            )
            context.set_default_timeout(TIMEOUT_MS)
            pages[f"{size}-{scheme}"] = context.new_page()
            enter(pages[f"{size}-{scheme}"], tenant)
    return pages


def shoot(pages: dict[str, Page], scenery: Scenery, scenes: dict[str, Scene], folder: Path) -> None:
    for name, scene in scenes.items():
        for end, page in pages.items():
            scene(page, scenery)
            wait_until_drawn(page)
            page.screenshot(path=folder / f"{name}-{end}.png")
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()


def main(folder: Path, wanted: set[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [{name: scene for name, scene in some.items() if not wanted or name in wanted} for some in (BUSY, QUIET)]
    expect.set_options(timeout=TIMEOUT_MS)
    with running_service() as operator, sync_playwright() as playwright:
        scenery = prepare(operator)
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.FLAGS)
        pages = opened(browser, scenery.tenant)
        shoot(pages, scenery, chosen[0], folder)
        scenery.tenant.call("POST", "/documents/cancel", json={"ids": [scenery.documents["scan"]]})
        shoot(pages, scenery, chosen[1], folder)
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), set(sys.argv[2:]))
