"""Signing in and out, by key and by link; sessions that end; keys that may only read."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.cli.terminal import CommandLine
from tests.service import Service
from tests.web.people import Office, Person

Arrive = Callable[..., Person]


def test_a_person_signs_in_with_a_key_and_out_again(office: Office, arrive: Arrive) -> None:
    person = arrive()
    person.sign_in(office.admin_key)
    expect(person.page).to_have_url(re.compile("/documents$"))
    person.sees(office.name)
    [cookie] = [each for each in person.context.cookies() if each["name"].endswith("docsieve")]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict"
    person.page.get_by_role("button", name="Sign out").click()
    person.sees("You are signed out.")
    person.page.goto("/documents")
    expect(person.page.get_by_label("API key")).to_be_visible()
    assert person.page.request.get("/api/v1/documents", headers={"cookie": f"docsieve={cookie['value']}"}).status == 401


def test_a_wrong_key_is_refused_in_words_and_another_may_be_tried(office: Office, arrive: Arrive) -> None:
    person = arrive()
    person.page.goto("/documents")
    person.page.get_by_label("API key").fill("ds_wrong_key")
    person.page.get_by_role("button", name="Sign in").click()
    expect(person.page.get_by_role("alert")).to_contain_text("invalid, expired or revoked")
    person.page.get_by_label("API key").fill(office.admin_key)
    person.page.get_by_role("button", name="Sign in").click()
    expect(person.page.get_by_role("navigation", name="Pages")).to_be_visible()


def test_a_link_signs_in_once(service: Service, arrive: Arrive) -> None:
    link = CommandLine(service.environment).as_process("link").out.strip()
    first = arrive()
    first.page.goto(link)
    expect(first.page.get_by_role("navigation", name="Pages")).to_be_visible()
    assert "link=" not in first.page.url
    second = arrive()
    second.page.goto(link)
    expect(second.page.get_by_role("alert")).to_contain_text("has expired or was already used")


def test_a_link_that_is_opened_while_the_sign_in_page_is_shown_signs_in(service: Service, arrive: Arrive) -> None:
    person = arrive()
    person.page.goto("/sign-in")
    expect(person.page.get_by_label("API key")).to_be_visible()
    person.page.evaluate("window.sameDocument = true")
    person.page.goto(CommandLine(service.environment).as_process("link").out.strip())
    expect(person.page.get_by_role("navigation", name="Pages")).to_be_visible()
    assert person.page.evaluate("window.sameDocument"), "only the part behind the # has changed"
    assert "link=" not in person.page.url


def test_a_link_that_no_longer_works_leaves_room_for_another(service: Service, arrive: Arrive) -> None:
    person = arrive()
    person.page.goto("/sign-in")
    person.page.goto(f"{service.url}/sign-in#link=used-long-ago")
    expect(person.page.get_by_role("alert")).to_contain_text("has expired or was already used")
    person.page.goto(CommandLine(service.environment).as_process("link").out.strip())
    expect(person.page.get_by_role("navigation", name="Pages")).to_be_visible()


def test_a_session_that_ends_leads_back_to_where_the_person_was(office: Office, arrive: Arrive) -> None:
    key = office.key("Grace", "read", "write")
    person = arrive()
    person.sign_in(key["key"], "/jobs")
    expect(person.page).to_have_url(re.compile("/jobs"))
    office.client.delete(f"/keys/{key['id']}").raise_for_status()
    person.go("Documents")
    person.sees("Your session has expired.")
    person.page.get_by_label("API key").fill(office.admin_key)
    person.page.get_by_role("button", name="Sign in").click()
    expect(person.page).to_have_url(re.compile("/documents"))


def test_a_key_that_may_only_read_is_shown_nothing_it_may_not_do(office: Office, arrive: Arrive) -> None:
    document_id = office.upload(b"Only for reading.", "readable.txt")
    office.settled(document_id)
    person = arrive()
    person.sign_in(office.key("Reader", "read")["key"])
    person.sees("readable.txt").click()
    expect(person.page).to_have_url(re.compile(document_id))
    person.sees("readable.txt")
    for name in ("Upload", "Delete", "Reprocess", "Retry", "Cancel"):
        expect(person.page.get_by_role("button", name=re.compile(name, re.I))).to_have_count(0)


def test_two_tenants_never_see_each_other(new_office: Callable[[], Office], arrive: Arrive) -> None:
    ours, theirs = new_office(), new_office()
    secret = theirs.upload(b"The password of the vault is plum.", "their-secret.txt")
    theirs.settled(secret)
    ours.settled(ours.upload(b"Our own plum cake recipe.", "our-recipe.txt"))
    person = arrive()
    person.sign_in(ours.admin_key)
    person.sees("our-recipe.txt")
    expect(person.page.get_by_text("their-secret.txt")).to_have_count(0)
    person.page.goto(f"/documents/{secret}")
    person.sees("It may have been deleted.")
    person.page.goto("/search?q=plum")
    person.sees("our-recipe.txt")
    expect(person.page.get_by_text("their-secret.txt")).to_have_count(0)
    person.page.goto("/jobs")
    expect(person.page.get_by_text("their-secret.txt")).to_have_count(0)
