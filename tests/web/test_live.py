"""What happens elsewhere appears on screen: by events where they arrive, by polling where they do not."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.web.people import Office, Person

STATUS = re.compile(r"/documents/[^/]+/status")
EVENTS = re.compile(r"/api/v1/events")


def _fail(route: Route) -> None:
    route.abort()


@pytest.mark.parametrize("broken", [STATUS, EVENTS], ids=["without polling", "without events"])
def test_a_document_in_progress_becomes_ready_on_screen(
    office: Office, arrive: Callable[..., Person], shared_folder: Path, broken: re.Pattern[str]
) -> None:
    released = shared_folder / "released"
    document_id = office.upload(f"%POISON until {released}".encode(), "held.txt", schema="none")
    person = arrive()
    person.context.route(broken, _fail)
    person.sign_in(office.admin_key)
    row = person.page.get_by_role("row").filter(has_text="held.txt")
    expect(row).to_be_visible()
    expect(row).not_to_contain_text("Ready")
    released.touch()
    assert office.settled(document_id)["status"] == "ready"
    expect(row).to_contain_text("Ready")


def test_an_open_document_shows_its_pages_without_polling_once_it_is_read(
    office: Office, arrive: Callable[..., Person], shared_folder: Path
) -> None:
    released = shared_folder / "released"
    document_id = office.upload(f"%POISON stops 0 2 {released}".encode(), "held.txt", schema="none")
    person = arrive()
    person.context.route(STATUS, _fail)
    person.sign_in(office.admin_key, f"/documents/{document_id}")
    person.sees("Waiting")
    released.touch()
    expect(person.page.get_by_role("region", name="Pages")).to_be_visible()


def test_a_hidden_page_opens_its_stream_again_when_it_is_shown(office: Office, arrive: Callable[..., Person]) -> None:
    person = arrive()
    person.sign_in(office.admin_key, "/jobs")
    completed = person.page.get_by_role("link", name=re.compile("^Done"))
    with person.page.expect_request(EVENTS):
        _show(person, visible=False)
        document_id = office.upload(b"Hello.", "a.txt", schema="none")
        assert office.settled(document_id)["status"] == "ready"
        _show(person, visible=True)
    expect(completed).to_contain_text("1")


def _show(person: Person, *, visible: bool) -> None:
    person.page.evaluate(
        """(visible) => {
          Object.defineProperty(document, "hidden", { configurable: true, get: () => !visible });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        visible,
    )


def test_the_first_pages_of_a_document_are_shown_while_the_rest_is_being_read(
    office: Office, arrive: Callable[..., Person], shared_folder: Path
) -> None:
    released = shared_folder / "rest"
    document_id = office.upload(f"%POISON stops 3 8 {released}".encode(), "long.txt", schema="none")
    person = arrive()
    person.context.route(STATUS, _fail)
    person.sign_in(office.admin_key, f"/documents/{document_id}?tab=text")
    expect(person.page.get_by_role("region", name="Pages")).to_be_visible()
    person.sees("The first 3 pages are here.")
    person.sees("These are the first 3 pages; the rest is being read.")
    released.touch()
    assert office.settled(document_id)["status"] == "ready"
    expect(person.page.get_by_label("Text of page 8")).to_be_attached()
    expect(person.page.get_by_label("Progress of reading")).to_have_count(0)
