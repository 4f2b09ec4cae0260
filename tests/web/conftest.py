"""Users of the dashboard: a real service, a real browser, and separate tenants for each test."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.dashboards import chromium
from playwright.sync_api import Browser, sync_playwright

from tests import backends
from tests.service import Service
from tests.web.people import Office, Person

_DASHBOARD = Path(__file__).parents[2] / "src" / "docsieve" / "dashboard" / "index.html"


@pytest.fixture(scope="session")
def service(open_folder: Path, new_database: Callable[[], str]) -> Iterator[Service]:
    """For all tests of the process; each uses separate tenants."""
    assert _DASHBOARD.exists(), "the dashboard is not built: run make test, which installs and builds it"
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    # One document that waits for a test must not keep the others waiting.
    service = Service(folder, {**backends.service_settings(new_database()), "DOCSIEVE_PARSER_PROCESSES": "3"})
    try:
        service.api()
        service.worker()
        yield service
    finally:
        service.stop()


@pytest.fixture
def shared_folder(open_folder: Path) -> Path:
    """Where a parser, which is another user, can look as well."""
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of the module and not of the run: while it is open, no asynchronous test can run in the process."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_office(service: Service) -> Callable[[], Office]:
    return lambda: Office.founded(service)


@pytest.fixture
def office(new_office: Callable[[], Office]) -> Office:
    return new_office()


@pytest.fixture
def arrive(service: Service, browser: Browser) -> Iterator[Callable[..., Person]]:
    """Somebody opens the dashboard. Nothing they do may raise an error, open a dialog or break the policy."""
    people: list[Person] = []

    def come(**context: Any) -> Person:
        options = {"viewport": {"width": 1440, "height": 900}, "base_url": service.url, **context}
        person = Person(browser.new_context(**options))
        people.append(person)
        return person

    yield come
    for person in people:
        person.context.close()
    assert [trouble for person in people for trouble in person.troubles] == []
