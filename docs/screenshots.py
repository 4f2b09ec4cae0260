"""Takes screenshots of every page of the dashboard, light and dark, desktop and phone, against a real service.

python -m docs.screenshots OUT_FOLDER [SCENE …]

The pictures in docs/images are `documents-desktop-light`, `document-field-desktop-light`, `review-desktop-dark` and
`document-field-phone-light`.

With DOCSIEVE_URL and DOCSIEVE_API_KEY set, that service is used instead of a temporary one; the URL may be that of
`npm run dev`.
"""

import io
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import httpx
import pikepdf
from benchmarks.dashboards import chromium
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect, sync_playwright

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
TIMEOUT_MS = 60_000
DECODED = """Promise.all([...document.images].filter(({complete}) => complete)
    .map((image) => image.decode().catch(() => null)))"""
ALL_DRAWN = """() => !document.querySelector(".animate-pulse")
    && (!document.querySelector('[role=group][aria-label^="Page "]') || document.querySelector('img[alt^="Page "]'))
    && [...document.images].every((image) => (image.complete && image.naturalWidth > 0)
      || (image.loading === "lazy" && image.getBoundingClientRect().top > innerHeight))"""
LETTER = """Fjord Lighting AS
Storgata 12, 0155 Oslo, 2 March 2026

Dear Ms Lindqvist,

thank you for your order of 24 February. The twelve pendant lamps leave our warehouse on 9 March and
should reach you within the week. Please check them for damage before you sign for them.

Kind regards, Ingrid Aas
"""
PRICES = "article,description,unit price\n4711,Pendant lamp,89.00\n4712,Desk lamp,49.50\n4713,Bulb E27,6.90\n"


@dataclass(frozen=True)
class Tenant:
    """A tenant of the service, acting with one API key."""

    url: str
    key: str

    def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        return httpx.request(
            method, f"{self.url}/api/v1{path}", headers={"X-API-Key": self.key}, timeout=TIMEOUT_MS / 1000, **request
        )

    def call(self, method: str, path: str, **request: Any) -> Any:
        return self.send(method, path, **request).raise_for_status().json()

    def create_tenant(self, name: str) -> "Tenant":
        """Create a tenant of that name, or of a similar one if the service already has it."""
        if self.send("POST", "/tenants", json={"name": name}).status_code == httpx.codes.CONFLICT:
            name = f"{name}-{uuid.uuid4().hex[:4]}"
            self.call("POST", "/tenants", json={"name": name})
        created = self.call("POST", f"/tenants/{name}/keys", json={"name": "Ada", "scopes": ["read", "write", "admin"]})
        return Tenant(self.url, created["key"])

    def upload(self, filename: str, content: bytes, **fields: str) -> str:
        return str(self.call("POST", "/documents", files={"file": (filename, content)}, data=fields)["id"])

    def settle(self, document_id: str) -> None:
        def settled() -> bool:
            found = self.call("GET", f"/documents/{document_id}/status")
            extraction = found["extraction"]
            reading = found["status"] in ("pending", "processing")
            return not reading and (not extraction or extraction["status"] not in ("pending", "processing"))

        wait_until(settled, seconds=180)


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz").status_code == 200
    except httpx.TransportError:
        return False


def wait_until(fact: Callable[[], bool], *, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not fact():
        if time.monotonic() > end:
            raise TimeoutError(f"condition not met after {seconds:.0f} seconds")
        time.sleep(0.2)


@contextmanager
def running_service() -> Iterator[Tenant]:
    """The service that the environment names, or a temporary `docsieve up`."""
    if (url := os.environ.get("DOCSIEVE_URL")) is not None:
        yield Tenant(url, os.environ["DOCSIEVE_API_KEY"])
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="docsieve-screenshots-"))
    folder.chmod(0o755)  # the parser runs as another user
    tenant = Tenant(f"http://127.0.0.1:{port}", f"ds_screenshots_{uuid.uuid4().hex}")
    settings = {"DOCSIEVE_DATA_DIR": str(folder / "data"), "DOCSIEVE_PORT": str(port), "DOCSIEVE_API_KEY": tenant.key}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "docsieve", "up"], env={**os.environ, **settings}, stdout=log, stderr=log
        )
    try:
        wait_until(lambda: process.poll() is not None or answers(tenant.url), seconds=120)
        if process.poll() is not None:
            raise RuntimeError((folder / "log").read_text()[-2000:])
        yield tenant
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Scenery:
    """What the screenshots show: a tenant with the ids of its documents by purpose, and a tenant without documents."""

    tenant: Tenant
    fresh: Tenant
    documents: dict[str, str]


def prepare(operator: Tenant) -> Scenery:
    tenant = operator.create_tenant("kestrel-finch")
    documents = {
        "locked": tenant.upload("payroll-2026-02.pdf", locked_pdf()),
        "damaged": tenant.upload("scan-0007.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 8),
        "letter": tenant.upload("letter-lamps.txt", LETTER.encode()),
        "prices": tenant.upload("price-list.csv", PRICES.encode()),
    }
    for sample in tenant.call("POST", "/samples", json={"names": None})["documents"]:
        documents[sample["filename"].split("-")[0]] = sample["id"]
    for document_id in documents.values():
        tenant.settle(document_id)
    documents["archive"] = tenant.upload("archive-2019.pdf", scanned_pages(40), priority="-10")
    return Scenery(tenant, operator.create_tenant("first-start"), documents)


def locked_pdf() -> bytes:
    pdf, target = pikepdf.new(), io.BytesIO()
    pdf.add_blank_page()
    pdf.save(target, encryption=pikepdf.Encryption(owner="owner", user="user"))
    return target.getvalue()


def scanned_pages(count: int) -> bytes:
    """A scanned PDF, which takes a while to read."""
    pages = []
    for number in range(1, count + 1):
        page = Image.new("L", (1240, 1754), 250)
        draw = ImageDraw.Draw(page)
        for line in range(40):
            draw.text(
                (120, 120 + line * 38), f"Page {number}, entry {line}: delivered and signed for", fill=30, font_size=28
            )
        pages.append(page)
    target = io.BytesIO()
    pages[0].save(target, format="PDF", save_all=True, append_images=pages[1:])
    return target.getvalue()


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
    "reading": of_document("archive", "", "archive-2019"),
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
        scenery.tenant.call("POST", "/documents/cancel", json={"ids": [scenery.documents["archive"]]})
        shoot(pages, scenery, chosen[1], folder)
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), set(sys.argv[2:]))
