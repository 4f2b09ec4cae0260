"""One-time sign-in links for the dashboard."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx
import pytest

from tests.cli.terminal import CommandLine, Terminal, on_terminal
from tests.service import Service, wait_until


def _signed_in(service: Service, link: str) -> httpx.Response:
    return httpx.post(f"{service.url}/api/v1/session", json={"link": link.strip().partition("#link=")[2]})


def test_a_link_is_alone_on_stdout_and_signs_in_once(docsieve: CommandLine, service: Service) -> None:
    made = docsieve("link", DOCSIEVE_API_KEY="")
    assert made.code == 0
    assert re.fullmatch(rf"{re.escape(service.url)}/sign-in#link=[\w-]{{43}}\n", made.out)
    assert "10 minutes" in made.err
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
    assert refused.err == "not_found: The tenant has no usable key nosuchkey.\n"
    assert docsieve("link", "--tenant", "no-such").err == "not_found: Tenant no-such not found.\n"


def test_without_a_configured_address_a_link_leads_to_where_the_api_listens(docsieve: CommandLine) -> None:
    made = docsieve("link", DOCSIEVE_URL="", DOCSIEVE_HOST="0.0.0.0", DOCSIEVE_PORT="8499")
    assert urlsplit(made.out).netloc == "127.0.0.1:8499"


@pytest.fixture
def alone(start_service: Callable[..., Service], new_database: Callable[[], str]) -> Service:
    return start_service(DOCSIEVE_DATABASE_URL=new_database(), DOCSIEVE_API_KEY="", DOCSIEVE_WORKER_PROCESSES="0")


def _links(text: str) -> list[str]:
    return re.findall(r"\S+/sign-in#link=[\w-]+", text)


def _printed(terminal: Terminal) -> str:
    [link] = wait_until(lambda: _links(terminal.seen()), what="the link")
    return str(link)


def test_up_on_a_terminal_prints_a_link_that_works_until_the_next_start(alone: Service) -> None:
    printed = []
    for _ in range(2):
        with on_terminal(alone.environment, "up") as terminal:
            printed.append(_printed(terminal))
            alone.wait_ready(terminal.process)
            if len(printed) == 2:
                assert _signed_in(alone, printed[0]).json()["code"] == "link_expired"
                assert _signed_in(alone, printed[1]).status_code == 200


def test_up_without_a_terminal_logs_no_link_and_says_how_to_get_one(alone: Service) -> None:
    alone.wait_ready(alone.run("up"))
    assert _links(alone.logs()) == []
    assert "run `docsieve link`" in alone.logs()
    key = (alone.data_dir / "admin-key").read_text().strip()
    listed = httpx.get(f"{alone.url}/api/v1/keys", headers={"X-API-Key": key}).json()
    assert {each["name"] for each in listed["keys"]} == {"bootstrap"}


def test_up_with_json_logs_prints_no_link_on_a_terminal_either(alone: Service) -> None:
    with on_terminal({**alone.environment, "DOCSIEVE_LOG_FORMAT": "json"}, "up") as terminal:
        alone.wait_ready(terminal.process)
        assert _links(terminal.seen()) == []
        assert "run `docsieve link`" in terminal.seen()


def test_commands_find_the_server_by_the_port_and_host_it_listens_on(docsieve: CommandLine, service: Service) -> None:
    there = {"DOCSIEVE_URL": "", "DOCSIEVE_HOST": "0.0.0.0", "DOCSIEVE_PORT": str(service.port)}
    assert docsieve("jobs", "list", "--json", **there).code == 0
    found = {each["check"]: each for each in docsieve("doctor", "--json", **there).json()}
    assert found["API"]["reason"] == f"{service.url} responds"


def test_a_configured_address_takes_precedence_over_the_port(docsieve: CommandLine) -> None:
    ran = docsieve("jobs", "list", DOCSIEVE_URL="http://127.0.0.1:1/", DOCSIEVE_PORT="2")
    assert "No response from http://127.0.0.1:1 " in ran.err


@pytest.mark.parametrize("host", ["::", "::1"])
def test_an_address_of_ipv6_is_written_in_brackets(docsieve: CommandLine, host: str) -> None:
    made = docsieve("link", DOCSIEVE_URL="", DOCSIEVE_HOST=host, DOCSIEVE_PORT="8499")
    assert made.out.startswith("http://[::1]:8499/sign-in#link=")
