"""A used-up budget in the running service: no new calls to a language model for any caller."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.jobs.conftest import SCHEMA, extracted, ready
from tests.llm.loopback import KEY, Loopback, Said, serving
from tests.llm.protocols.openai import OpenAI
from tests.service import Service

MODEL = "openai:gpt-4o-mini"
UNCLEAR = b"Contract, letter, receipt and invoice"


@pytest.fixture
def provider() -> Iterator[Loopback]:
    with serving(OpenAI()) as started:
        started.said = Said('{"class": "letter", "confidence": 0.9}')
        yield started


@pytest.fixture
def service(start_service: Callable[..., Service], provider: Loopback, tmp_path: Path) -> Service:
    service = start_service(
        DOCSIEVE_SHUTDOWN_SECONDS="5",
        DOCSIEVE_LLM=MODEL,
        DOCSIEVE_PROVIDER_KEYS=f"openai={KEY}",
        DOCSIEVE_PROVIDER_URLS=f"openai={provider.url}/v1",
    )
    service.run("api", f"--metrics-folder={tmp_path}")
    service.wait_ready()
    service.client.post("/schemas", json={"name": "bill", "schema": SCHEMA}).raise_for_status()
    service.run("worker", f"--metrics-folder={tmp_path}")
    return service


def set_budget(service: Service, dollars: float | None) -> None:
    service.client.patch("/projects/default", json={"budget_usd": dollars}).raise_for_status()


def class_of(service: Service, document_id: str) -> str:
    found: str = service.client.get(f"/documents/{document_id}").raise_for_status().json()["class"]
    return found


def test_a_used_up_budget_stops_extraction_and_leaves_documents_their_local_class(
    service: Service, provider: Loopback
) -> None:
    set_budget(service, 0)
    sent = service.upload(UNCLEAR, schema="bill", engine="llm").raise_for_status().json()["id"]

    state = service.settled(sent)

    assert (state["status"], state["error"]) == ("ready", None)
    assert (state["extraction"]["status"], state["extraction"]["error"]["code"]) == ("failed", "budget_exceeded")
    assert extracted(service, sent, engine="llm")["error"]["code"] == "budget_exceeded"
    assert class_of(service, sent) == "invoice"
    assert provider.requests == []
    assert "model_gave_no_class" in service.logs() and sent in service.logs()
    assert service.client.get("/usage").json()["calls"] == 0


def test_what_a_class_costs_shows_in_the_usage_and_the_metrics_and_is_paid_for_once(
    service: Service, provider: Loopback
) -> None:
    set_budget(service, 5)
    first, second = (ready(service, UNCLEAR, name) for name in ("first.txt", "second.txt"))

    assert (class_of(service, first), class_of(service, second)) == ("letter", "letter")
    assert len(provider.requests) == 1
    (project,) = service.client.get("/usage").json()["projects"]
    (model,) = project["models"]
    assert (project["project"], model["provider"], model["calls"]) == ("default", MODEL, 1)
    assert (model["input_tokens"], model["output_tokens"]) == (120, 30)
    assert model["cost"] == pytest.approx((80 * 0.15 + 40 * 0.075 + 30 * 0.6) / 1e6)
    saved = f'docsieve_provider_saved_usd_total{{model="{MODEL}"}}'  # of the second document, so the last to be counted
    service.wait_until(lambda: saved in httpx.get(f"{service.url}/metrics").text, what="the worker's counters")
    shown = httpx.get(f"{service.url}/metrics").text
    assert f'docsieve_provider_calls_total{{model="{MODEL}"}} 1.0' in shown
    assert f'docsieve_provider_tokens_total{{direction="input",model="{MODEL}"}} 120.0' in shown
    assert f'docsieve_provider_cost_usd_total{{model="{MODEL}"}}' in shown


def test_the_classifier_s_questions_keep_within_the_limits_of_the_model(service: Service, provider: Loopback) -> None:
    limits = service.run("providers", "set", MODEL, "--concurrency", "1", "--rpm", "1")
    assert limits.wait(60) == 0
    ready(service, UNCLEAR)

    held = service.upload(b"Letter, receipt, contract and invoice").raise_for_status().json()["id"]
    waiting = service.wait_until(lambda: _waiting(service, held), what="the second document waits for its turn")

    assert (waiting["status"], waiting["attempts"]) == ("pending", 0)
    assert len(provider.requests) == 1


def _waiting(service: Service, document_id: str) -> dict[str, Any] | None:
    job: dict[str, Any] | None = service.status(document_id)["job"]
    return job if job is not None and job["run_at"] is not None else None
