"""Searching in the text of all documents, from the first letters to the lit line on the page."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.people import INVOICE, Office, Person


def test_a_search_as_one_types_opens_the_page_at_the_found_line(office: Office, arrive: Callable[..., Person]) -> None:
    filler = "\n".join(f"Paragraph {number} speaks of the weather." for number in range(400))
    long_id = office.upload(f"{filler}\n\nThe xylophone stands in the cellar.\n\n{filler}".encode(), "long.txt")
    office.settled(long_id)
    office.settled(office.upload(INVOICE.encode(), "invoice.txt"))
    person = arrive()
    person.sign_in(office.admin_key)
    expect(person.page.get_by_role("heading", name="Documents")).to_be_visible()
    person.page.keyboard.press("/")
    box = person.page.get_by_role("searchbox", name="Search the text of all documents")
    expect(box).to_be_focused()
    box.press_sequentially("xylofone")
    hit = person.page.get_by_role("link", name=re.compile("long.txt"))
    expect(hit.first.locator("mark")).to_have_text("xylophone")
    expect(person.page.locator("[data-hit]").first).to_contain_text("long.txt")
    box.press("ArrowDown")
    person.page.keyboard.press("Enter")
    expect(person.page).to_have_url(re.compile(f"/documents/{long_id}.*box="))
    lit = person.page.get_by_role("button", name="Search result")
    expect(lit).to_have_attribute("aria-pressed", "true")
    expect(lit).to_be_in_viewport()
    expect(person.page).to_have_url(re.compile(r"page=([2-9]|\d\d)"))  # not on the first


def test_a_search_without_an_answer_says_so(office: Office, arrive: Callable[..., Person]) -> None:
    person = arrive()
    person.sign_in(office.admin_key, "/search?q=zyzzyva")
    person.sees("Nothing found for “zyzzyva”")


def test_a_document_that_was_sent_twice_is_found_once_with_a_way_to_the_other(
    office: Office, arrive: Callable[..., Person]
) -> None:
    first = office.upload(INVOICE.encode(), "invoice.txt")
    office.settled(first)
    second = office.upload(INVOICE.encode(), "invoice (1).txt")
    office.settled(second)
    person = arrive()
    person.sign_in(office.admin_key, "/search?q=syringes")
    expect(person.page.locator("[data-hit]")).to_have_count(1)
    expect(person.page.locator("[data-hit]")).to_contain_text("invoice.txt")
    person.page.get_by_role("link", name="invoice (1).txt", exact=True).click()
    expect(person.page).to_have_url(re.compile(f"/documents/{second}"))
