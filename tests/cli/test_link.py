"""One-time links into the dashboard, made by whoever may reach the database."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx

from tests.cli.terminal import CommandLine
from tests.service import Service, wait_until


def _signed_in(service: Service, link: str) -> httpx.Response:
    return httpx.post(f"{service.url}/api/v1/session", json={"link": link.strip().partition("#link=")[2]})


def test_a_link_is_alone_on_stdout_and_signs_in_once(docsieve: CommandLine, service: Service) -> None:
    made = docsieve("link", DOCSIEVE_API_KEY="")
    assert made.code == 0
    assert re.fullmatch(rf"{re.escape(service.url)}/sign-in#link=[\w-]{{43}}\n", made.out)
    assert "60 minutes" in made.err
    said = _signed_in(service, made.out)
    assert said.status_code == 200
    assert (said.json()["tenant"], said.json()["scopes"]) == ("default", ["admin"])
    assert _signed_in(service, made.out).json()["code"] == "link_expired"


def test_a_link_can_be_for_a_key_and_has_its_rights(docsieve: CommandLine, service: Service) -> None:
    key_id = docsieve("keys", "create", "--scope", "read", "--name", "clerk").out.split("_")[1]
    said = _signed_in(service, docsieve("link", "--key", key_id).out).json()
    assert (said["key_id"], said["key_name"], said["scopes"]) == (key_id, "clerk", ["read"])


def test_no_link_is_made_for_a_key_or_tenant_that_is_not_there(docsieve: CommandLine) -> None:
    refused = docsieve("link", "--key", "nosuchkey")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == "not_found: The tenant has no key nosuchkey that could be used.\n"
    assert docsieve("link", "--tenant", "no-such").err == "not_found: There is no tenant named no-such.\n"


def test_without_an_address_of_its_own_a_link_leads_to_where_the_api_listens(docsieve: CommandLine) -> None:
    made = docsieve("link", DOCSIEVE_URL="", DOCSIEVE_HOST="0.0.0.0", DOCSIEVE_PORT="8499")
    assert urlsplit(made.out).netloc == "127.0.0.1:8499"


def test_up_prints_its_first_key_and_a_link_that_both_work(
    start_service: Callable[..., Service], new_database: Callable[[], str]
) -> None:
    service = start_service(DOCSIEVE_DATABASE_URL=new_database(), DOCSIEVE_API_KEY="", DOCSIEVE_WORKER_PROCESSES="0")
    process = service.run("up")
    link = wait_until(lambda: re.search(r"\S+/sign-in#link=\S+", service.logs()), what="the link")[0]
    key = re.search(r"export DOCSIEVE_API_KEY=(\S+)", service.logs())
    assert key is not None
    service.wait_ready(process)
    assert _signed_in(service, link).status_code == 200
    listed = httpx.get(f"{service.url}/api/v1/keys", headers={"X-API-Key": key[1]}).json()
    assert {each["name"] for each in listed} == {"bootstrap", "dashboard"}
    assert link.partition("#link=")[2] not in service.logs().replace(link, "")
