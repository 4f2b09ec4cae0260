"""The fallback engine of a project: when it takes over, and when it does not."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.asked_model import AskedModel, asked_model
from tests.jobs.conftest import INVOICE, SCHEMA, ready, settled, start
from tests.provider_server import problem
from tests.service import Service

ANSWER = {"invoice_number": "INV-2041", "invoice_date": None, "total": 118.5, "purchase_order": None}


@pytest.fixture
def model() -> Iterator[AskedModel]:
    with asked_model(ANSWER) as model:
        yield model


@pytest.fixture
def service(start_service: Callable[..., Service], model: AskedModel) -> Service:
    service = start_service(**model.settings)
    service.api()
    service.client.post("/schemas", json={"name": "bill", "schema": SCHEMA}).raise_for_status()
    defaults = {"engine": "llm", "fallback_engine": "local"}
    service.client.patch("/projects/default", json=defaults).raise_for_status()
    service.worker()
    return service


def test_a_refusal_of_the_provider_falls_back_for_uploads_and_requests_alike(
    service: Service, model: AskedModel
) -> None:
    model.server.replies = [problem(403, "model_not_allowed") for _ in range(2)]
    document_id = ready(service, INVOICE, schema="bill")
    state = service.status(document_id)["extraction"]
    _assert_fell_back(service.client.get(f"/extractions/{state['id']}").json())
    _assert_fell_back(settled(service, start(service, document_id)["id"]))


def _assert_fell_back(extraction: dict[str, Any]) -> None:
    assert (extraction["status"], extraction["engine"], extraction["model"]) == ("completed", "local", None)
    assert (extraction["fallback_from"]["engine"], extraction["fallback_from"]["code"]) == ("llm", "provider_refused")
    assert extraction["value"]["total"] == 118.5


def test_a_provider_that_asks_to_wait_is_waited_for(service: Service, model: AskedModel) -> None:
    document_id = ready(service, INVOICE, schema="none")
    model.server.replies = [problem(429, "rate_limit_exceeded", **{"Retry-After": "2"})]
    found = settled(service, start(service, document_id)["id"])
    assert (found["status"], found["engine"], found["fallback_from"]) == ("completed", "llm", None)


def test_without_a_fallback_engine_the_extraction_fails(service: Service, model: AskedModel) -> None:
    service.client.patch("/projects/default", json={"fallback_engine": None}).raise_for_status()
    document_id = ready(service, INVOICE, schema="none")
    model.server.replies = [problem(403, "model_not_allowed")]
    found = settled(service, start(service, document_id)["id"])
    assert (found["status"], found["error"]["code"]) == ("failed", "provider_refused")
