"""Errors on the wire: problem documents with a stable code, whatever goes wrong."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import docsieve
import docsieve.errors.extractions
import docsieve.errors.providers
import docsieve.errors.setup
from docsieve import errors
from docsieve.db.connection.outage import connect
from docsieve.errors import DocsieveError
from tests.api.running import Running, assert_problem, uploaded

# These run when they are imported.
SCRIPTS = ("docsieve.__main__", "docsieve.db.migrations.env", "docsieve.db.migrations.versions")


def _kinds(kind: type[DocsieveError]) -> Iterator[type[DocsieveError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from _kinds(each)


def test_every_error_is_defined_in_one_package_and_has_its_own_code() -> None:
    for module in pkgutil.walk_packages(docsieve.__path__, "docsieve."):
        if not module.name.startswith(SCRIPTS):
            importlib.import_module(module.name)
    kinds = [kind for kind in _kinds(DocsieveError) if kind.__module__.startswith("docsieve.")]
    assert {kind.__module__.split(".")[1] for kind in kinds} == {"errors"}
    codes = [kind.code for kind in kinds if "code" in vars(kind)]
    assert sorted(codes) == sorted(set(codes))
    for kind in kinds:
        assert kind.code.replace("_", "").isalpha(), kind
        assert kind.code.islower(), kind
        assert 400 <= kind.status < 600, kind
        if kind.__init__ is DocsieveError.__init__:  # others are made of more than a sentence
            assert kind("a fact").detail == "a fact"
            assert kind().detail, kind


def test_the_tree_of_errors_names_every_class() -> None:
    drawn = set(re.findall(r"[A-Z][A-Za-z]+", errors.__doc__ or ""))
    assert {kind.__name__ for kind in _kinds(DocsieveError) if kind.__module__.startswith("docsieve.")} <= drawn


# A client branches on these, so a change here is a change of the API.
STABLE = {
    "invalid_request": 422,
    "empty_document": 422,
    "unknown_project": 422,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "conflict": 409,
    "idempotency_conflict": 409,
    "job_not_cancellable": 409,
    "job_not_retryable": 409,
    "document_not_ready": 409,
    "document_busy": 409,
    "name_taken": 409,
    "project_not_empty": 409,
    "too_large": 413,
    "unsupported_type": 415,
    "unavailable": 503,
    "internal_error": 500,
}


def test_codes_and_statuses_that_clients_know_stay_as_they_are() -> None:
    known = {kind.code: kind.status for kind in _kinds(DocsieveError)}
    assert STABLE.items() <= known.items()


async def test_an_unknown_path_is_a_problem(api: Running) -> None:
    stranger = await api.client(prefix="")
    for path in ("/api/v1/nowhere", "/api/v2/documents", "/api", "/assets/x", "/api/v1/documents/x/y/z"):
        assert_problem(await stranger.get(path), 404, "not_found")


async def test_a_wrong_method_is_a_problem_that_names_the_right_ones(client: httpx.AsyncClient) -> None:
    answer = await client.put("/jobs")
    assert_problem(answer, 405, "method_not_allowed")
    assert "GET" in answer.headers["allow"]


async def test_a_body_that_cannot_be_read_is_422(client: httpx.AsyncClient) -> None:
    for body in (b"{", b"nonsense", b'"text"', b"[]", b"", b"\xff\xfe{}", b"[" * 200_000, b'{"name": "\\ud800"}'):
        answer = await client.post("/projects", content=body, headers={"Content-Type": "application/json"})
        assert_problem(answer, 422, "invalid_request")
    plain = await client.post("/projects", content=b'{"name": "a"}', headers={"Content-Type": "text/plain"})
    assert_problem(plain, 422, "invalid_request")


async def test_a_body_that_is_not_an_upload_is_bounded(client: httpx.AsyncClient) -> None:
    body = b'{"name": "' + b"x" * 1024**2 + b'"}'
    answer = await client.post("/projects", content=body, headers={"Content-Type": "application/json"})
    assert_problem(answer, 413, "too_large")


async def test_a_wrong_request_names_every_fault_and_repeats_no_value(client: httpx.AsyncClient) -> None:
    secret = "Not-A-Valid-Name"
    answer = await client.post("/keys", json={"scopes": ["fly"], "project": secret, "color": "blue"})
    problem = assert_problem(answer, 422, "invalid_request")
    assert {fault["where"] for fault in problem["errors"]} == {
        "body.name",
        "body.scopes.0",
        "body.project",
        "body.color",
    }
    assert secret not in answer.text


async def test_a_taken_name_is_409(client: httpx.AsyncClient) -> None:
    assert_problem(await client.post("/projects", json={"name": "default"}), 409, "name_taken")


async def test_values_at_the_edge_of_what_the_database_can_hold_are_refused_and_not_a_crash(
    api: Running, client: httpx.AsyncClient
) -> None:
    key = {"name": "k", "scopes": ["read"]}
    for moment in ("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2030-01-01T00:00:00", 1e300):
        assert_problem(await client.post("/keys", json={**key, "expires_at": moment}), 422, "invalid_request")
    operator = await api.admin(await api.tenant("default"))
    for weight in (0, -1, 1e-300, 1001, "Infinity", "NaN"):
        answer = await operator.post("/tenants", json={"name": "new", "weight": weight})
        assert_problem(answer, 422, "invalid_request")


async def test_an_unexpected_error_is_500_without_details(api: Running) -> None:
    @api.app.get("/crash")
    async def crash() -> None:
        raise RuntimeError("a secret of the inside")

    answer = await (await api.client(prefix="")).get("/crash")
    problem = assert_problem(answer, 500, "internal_error")
    assert "secret" not in answer.text
    assert "RuntimeError" not in answer.text
    assert problem["errors"] == []
    assert answer.headers["x-request-id"]
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_database_that_does_not_answer_is_503(api: Running) -> None:
    @api.app.get("/outage")
    async def outage() -> None:
        await connect("postgresql://somebody@127.0.0.1:1/nowhere", seconds=5, command_seconds=5)

    answer = await (await api.client(prefix="")).get("/outage")
    assert_problem(answer, 503, "unavailable")
    assert answer.headers["retry-after"]
    assert "127.0.0.1" not in answer.text


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), TimeoutError(), ConnectionResetError()])
async def test_a_failure_that_has_nothing_to_do_with_the_database_is_not_blamed_on_it(
    api: Running, error: Exception
) -> None:
    @api.app.get("/bug")
    async def bug() -> None:
        raise error

    answer = await (await api.client(prefix="")).get("/bug")
    assert_problem(answer, 500, "internal_error")
    assert "database" not in answer.text


async def test_a_file_error_within_a_transaction_is_not_blamed_on_the_database(api: Running) -> None:
    with pytest.raises(IsADirectoryError):
        async with api.resources.database.system():
            Path("/").read_bytes()


async def test_every_answer_carries_an_id_for_the_logs(client: httpx.AsyncClient) -> None:
    answers = [await client.get(path) for path in ("/documents", "/documents/x", "/nowhere")]
    assert len({answer.headers["x-request-id"] for answer in answers}) == 3
    assert {answer.headers["x-content-type-options"] for answer in answers} == {"nosniff"}


async def test_an_error_text_shows_characters_that_turn_its_direction(client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    asked = {"document_ids": [document["id"]], "schema": "invoice", "engine": "invoice\u202efdp.exe"}
    answer = (await client.post("/extractions", json=asked)).json()
    assert "\u202e" not in answer["detail"]
    assert "invoice[U+202E]fdp.exe" in answer["detail"]
