"""Query parameters that an operation does not know are refused, for every operation of the OpenAPI document."""

from typing import Any

import httpx

from tests.api.operations import OPERATIONS, call, filled
from tests.api.running import Running, assert_problem

NONSENSE = "zzz"


def _parameters(openapi: dict[str, Any], name: str) -> list[str]:
    method, path = name.split(" ", 1)
    parameters = openapi["paths"][path][method.lower()].get("parameters", [])
    return [each["name"] for each in parameters if each["in"] == "query"]


async def _operator(api: Running) -> httpx.AsyncClient:
    return await api.client(await api.key(await api.tenant("default"), "admin"), prefix="")


async def _ask(client: httpx.AsyncClient, name: str, parameter: str) -> dict[str, Any]:
    method, path = name.split(" ", 1)
    answer = await client.request(method, filled(path), params={parameter: "1"})
    return assert_problem(answer, 422, "invalid_request")


async def test_every_operation_refuses_a_parameter_that_it_does_not_know(api: Running) -> None:
    operator = await _operator(api)
    for name in OPERATIONS:
        problem = await _ask(operator, name, NONSENSE)
        [fault] = problem["errors"]
        assert fault["where"] == f"query.{NONSENSE}", name
        known = _parameters(api.app.openapi(), name)
        assert all(each in fault["message"] for each in known), name


async def test_a_misspelled_parameter_is_answered_with_the_right_one(api: Running) -> None:
    operator = await _operator(api)
    tried = 0
    for name in OPERATIONS:
        for parameter in _parameters(api.app.openapi(), name):
            if len(parameter) < 4:
                continue
            misspelled = parameter[:-3] + parameter[-2] + parameter[-3] + parameter[-1]
            if misspelled == parameter:
                misspelled = parameter + "s"
            [fault] = (await _ask(operator, name, misspelled))["errors"]
            assert fault["message"] == f"Unknown parameter. Did you mean {parameter}?", name
            tried += 1
    assert tried > 30


async def test_a_filter_with_a_slip_does_not_list_everything(api: Running) -> None:
    operator = await _operator(api)
    problem = assert_problem(await operator.get("/api/v1/documents?stauts=ready"), 422, "invalid_request")
    assert problem["detail"] == "query.stauts: Unknown parameter. Did you mean status?"


async def test_a_dataset_in_another_format_is_refused_and_not_sent_as_a_zip(api: Running) -> None:
    operator = await _operator(api)
    answer = await operator.get("/api/v1/extractions/dataset", params={"schema": "invoice", "format": "csv"})
    assert "Known: schema, verified." in assert_problem(answer, 422, "invalid_request")["detail"]


async def test_a_stranger_is_not_told_the_parameters(api: Running) -> None:
    stranger = await api.client(prefix="")
    assert_problem(await stranger.get("/api/v1/documents?stauts=ready"), 401, "unauthorized")


async def test_known_parameters_and_empty_ones_are_taken(api: Running) -> None:
    operator = await _operator(api)
    assert (await operator.get("/api/v1/documents?")).status_code == 200
    assert (await operator.get("/api/v1/documents", params={"class": "invoice", "limit": "1"})).status_code == 200
    assert (await call(operator, "GET /api/v1/search", "")).status_code == 200
