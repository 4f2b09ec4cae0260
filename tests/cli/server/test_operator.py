"""Tenants, projects and keys, managed on the database without any key."""

from collections.abc import Callable

import httpx

from docsieve.domain.ids import new_id
from tests.cli.terminal import CommandLine
from tests.service import Service


def status_with(service: Service, key: str, path: str = "/documents") -> int:
    return httpx.get(f"{service.url}/api/v1{path}", headers={"X-API-Key": key}).status_code


def test_a_key_is_alone_on_stdout_and_works_until_it_is_revoked(docsieve: CommandLine, service: Service) -> None:
    made = docsieve("keys", "create", "--scope", "read", "--scope", "write", "--name", "ci", DOCSIEVE_API_KEY="")
    key = made.out.removesuffix("\n")
    assert made.code == 0
    assert "\n" not in key
    assert key not in made.err
    assert status_with(service, key) == 200
    assert status_with(service, key, "/keys") == 403
    assert docsieve("keys", "revoke", key.split("_")[1]).code == 0
    assert status_with(service, key) == 401


def test_a_new_key_may_do_everything_in_its_tenant(docsieve: CommandLine, service: Service) -> None:
    assert status_with(service, docsieve("keys", "create").out.strip(), "/tenants") == 200


def test_keys_are_listed_without_their_secret(docsieve: CommandLine) -> None:
    name = f"k{new_id().hex}"
    _, key_id, secret = docsieve("keys", "create", "--name", name, "--expires-in", "30d").out.strip().split("_")
    listed = docsieve("keys", "list")
    assert key_id in listed.out
    assert "valid until" in listed.out
    assert secret not in listed.out
    (found,) = (key for key in docsieve("keys", "list", "--json").json() if key["name"] == name)
    assert (found["id"], found["scopes"]) == (key_id, ["admin"])


def test_a_key_limited_to_a_project_sees_no_other(docsieve: CommandLine, service: Service) -> None:
    project = f"p{new_id().hex}"
    assert docsieve("projects", "create", project).code == 0
    key = docsieve("keys", "create", "--project", project).out.strip()
    projects = httpx.get(f"{service.url}/api/v1/projects", headers={"X-API-Key": key}).json()
    assert [each["name"] for each in projects["projects"]] == [project]
    refused = docsieve("keys", "create", "--project", "no-such").err
    assert refused == "unknown_project: Project no-such not found.\n"


def test_what_cannot_be_a_key_is_refused(docsieve: CommandLine) -> None:
    assert docsieve("keys", "create", "--expires-in", "soon").code == 2
    wrong_scope = docsieve("keys", "create", "--scope", "everything")
    assert (wrong_scope.code, wrong_scope.out) == (1, "")
    assert wrong_scope.err.startswith("invalid_request: scopes.0: ")
    assert docsieve("keys", "revoke", "nosuchkey").err == "not_found: API key not found.\n"


def test_a_tenant_is_made_and_its_share_and_budget_can_change(docsieve: CommandLine, service: Service) -> None:
    name = f"t{new_id().hex}"
    assert docsieve("tenants", "create", name, "--weight", "2").code == 0
    assert docsieve("tenants", "create", name).err == f"name_taken: A tenant named {name} already exists.\n"
    assert docsieve("tenants", "set-weight", name, "3.5").code == 0
    assert service.client.get(f"/tenants/{name}").json()["weight"] == 3.5
    assert "12.5 USD per month" in docsieve("tenants", "set-budget", name, "12.5").out
    changed = service.client.get(f"/tenants/{name}").json()
    assert (changed["weight"], changed["budget_usd"]) == (3.5, 12.5)
    service.client.patch(f"/tenants/{name}", json={"budget_usd": None})
    assert service.client.get(f"/tenants/{name}").json()["budget_usd"] is None
    shown = docsieve("tenants", "show", name).out
    assert "3.5" in shown
    assert "default" in shown
    assert name in {each["name"] for each in docsieve("tenants", "list", "--json").json()}
    key = docsieve("keys", "create", "--tenant", name).out.strip()
    assert status_with(service, key) == 200
    assert status_with(service, key, "/tenants") == 403


def test_a_project_with_documents_cannot_be_deleted(docsieve: CommandLine, service: Service) -> None:
    project = f"p{new_id().hex}"
    docsieve("projects", "create", project)
    document = service.upload(b"a document", project=project).raise_for_status().json()["id"]
    refused = docsieve("projects", "delete", project)
    assert refused.code == 1
    assert refused.err.startswith("project_not_empty: ")
    service.client.delete(f"/documents/{document}").raise_for_status()
    assert docsieve("projects", "delete", project).code == 0
    assert project not in {each["name"] for each in docsieve("projects", "list", "--json").json()}


def test_another_tenant_is_only_reached_by_its_name(docsieve: CommandLine) -> None:
    name = f"t{new_id().hex}"
    docsieve("tenants", "create", name)
    docsieve("projects", "create", f"of-{name}", "--tenant", name)
    assert f"of-{name}" in docsieve("projects", "list", "--tenant", name).out
    assert f"of-{name}" not in docsieve("projects", "list").out
    assert docsieve("keys", "list", "--tenant", "no-such").err == "not_found: Tenant no-such not found.\n"


def test_a_key_can_be_made_on_an_empty_database(docsieve: CommandLine, empty_database: Callable[[], str]) -> None:
    url = empty_database()
    made = docsieve("keys", "create", DOCSIEVE_DATABASE_URL=url)
    assert (made.code, len(made.out.splitlines())) == (0, 1)
    listed = docsieve("keys", "list", "--json", DOCSIEVE_DATABASE_URL=url).json()
    assert [key["id"] for key in listed] == [made.out.split("_")[1]]


def test_an_unreachable_database_is_one_clear_line(docsieve: CommandLine) -> None:
    url = "postgresql://someone:geheim@127.0.0.1:1/docsieve"
    ran = docsieve("tenants", "list", DOCSIEVE_DATABASE_URL=url)
    assert ran.code == 2
    assert ran.err.startswith("database_unreachable: ")
    assert "DOCSIEVE_DATABASE_URL" in ran.err
    assert "geheim" not in ran.err
