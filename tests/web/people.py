"""Who uses the dashboard in the tests, and the few things that all of them do."""

import re
import uuid
from typing import Any

import httpx
from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Error, Locator, expect

from tests.service import Service

# A busy machine of two cores is slow; elements appear as soon as they can.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)

_REPORT_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""


INVOICE = """Harbour Supplies Ltd
12 Quay Street, Bristol BS1 4DJ

INVOICE

Invoice number: HS-4711
Invoice date: 2026-03-04
Due date: 2026-04-03

Bill to: Northern Clinic

Description        Quantity   Unit price   Amount
Gloves, box of 100        4        12.50    50.00
Syringes                 10         5.00    50.00

Net amount: 100.00 EUR
VAT 19 %: 19.00 EUR
Total: 119.00 EUR
"""


class Office:
    """A tenant with its keys, and what the API reports about its documents."""

    def __init__(self, service: Service, name: str, admin_key: str) -> None:
        self.service, self.name, self.admin_key = service, name, admin_key
        self.client = httpx.Client(
            base_url=f"{service.url}/api/v1", headers={"X-API-Key": admin_key}, timeout=60, verify=False
        )

    @classmethod
    def founded(cls, service: Service) -> "Office":
        name = f"office-{uuid.uuid4().hex[:12]}"
        service.client.post("/tenants", json={"name": name}).raise_for_status()
        scopes = ["read", "write", "admin"]
        made = service.client.post(f"/tenants/{name}/keys", json={"name": "Ada", "scopes": scopes})
        return cls(service, name, made.raise_for_status().json()["key"])

    def key(self, name: str, *scopes: str) -> dict[str, Any]:
        made: dict[str, Any] = (
            self.client.post("/keys", json={"name": name, "scopes": list(scopes)}).raise_for_status().json()
        )
        return made

    def upload(self, content: bytes, filename: str, **fields: str) -> str:
        answer = self.client.post("/documents", files={"file": (filename, content)}, data=fields)
        return str(answer.raise_for_status().json()["id"])

    def settled(self, document_id: str) -> dict[str, Any]:
        """Wait until it is read and its fields are there, or it failed."""

        def state() -> dict[str, Any] | None:
            found: dict[str, Any] = self.client.get(f"/documents/{document_id}/status").raise_for_status().json()
            under_way = found["extraction"] and found["extraction"]["status"] in ("pending", "processing")
            return found if found["status"] in ("ready", "failed", "cancelled") and not under_way else None

        return self.service.wait_until(state, seconds=120, what=f"document {document_id} settled")

    def fields(self, document_id: str) -> dict[str, dict[str, Any]]:
        answer = self.client.get(f"/documents/{document_id}/fields").raise_for_status().json()
        return {field["path"]: field for field in answer["fields"]}


class Person:
    """A person with a separate browser, whose errors, dialogs and policy violations are recorded."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.troubles: list[str] = []
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(_REPORT_VIOLATIONS)
        self.page = context.new_page()
        self.page.on("pageerror", self._note_error)
        self.page.on("console", self._note_console)
        self.page.on("dialog", self._note_dialog)

    def sign_in(self, key: str, path: str = "/documents") -> None:
        self.page.goto(path)
        self.page.get_by_label("API key").fill(key)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_role("navigation", name="Pages")).to_be_visible()

    def go(self, page_name: str) -> None:
        self.page.get_by_role("navigation", name="Pages").get_by_role("link", name=page_name).click()

    def sees(self, text: str | re.Pattern[str]) -> Locator:
        found = self.page.get_by_text(text).first
        expect(found).to_be_visible()
        return found

    def upload(self, *files: Any, schema: str | None = None) -> None:
        self.page.get_by_role("button", name=re.compile("^Upload")).first.click()
        dialog = self.page.get_by_role("dialog", name="Upload documents")
        if schema is not None:
            dialog.get_by_label("Fields to extract").select_option(schema)
        with self.page.expect_file_chooser() as chooser:
            dialog.get_by_role("button", name="Choose files").click()
        chooser.value.set_files(list(files))

    def field(self, label: str) -> Locator:
        """A field in the list next to the page."""
        return self.page.locator("button[data-path]").filter(has_text=label).first

    def box(self, label: str) -> Locator:
        """The place on the page that proves a field."""
        return self.page.get_by_role("region", name="Pages").get_by_role("button", name=re.compile(label)).first

    def _note_error(self, error: Error) -> None:
        self.troubles.append(f"error: {error.message}")

    def _note_console(self, message: ConsoleMessage) -> None:
        if "policy" in message.text.lower():
            self.troubles.append(f"console: {message.text}")

    def _note_dialog(self, dialog: Dialog) -> None:
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()
