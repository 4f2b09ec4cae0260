"""Schemathesis against the application: whatever is sent, the answer is one that the OpenAPI document describes."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import negative_data_rejection, positive_data_acceptance
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.python.asgi import shutdown_lifespans

from docsieve.api.app import create_app
from docsieve.errors import TooLarge
from docsieve.settings import Settings
from docsieve.wiring import open_resources
from tests.api.operations import OPERATIONS
from tests.api.running import running, uploaded

Case: TypeAlias = schemathesis.Case[Any]

AT_ONCE = {"stream_events": {"follow": "false"}, "get_status": {"wait": "0"}}
"""Parameters without which an answer may not end, or not soon."""

EXAMPLES = [2, pytest.param(20, marks=pytest.mark.slow)]
"""Requests per operation and mode."""

# Well-formed requests that are refused for what no schema says: bytes that are no document, a filter of nothing, a
# project that does not exist, a query without a word, a schema that is none, a default that is not there, pages
# beyond the last, a text to remove that is not there; and of every list a cursor that it did not give.
REFUSES_BY_MEANING = (
    "upload_document",
    "upload_document_second_path",
    "begin_upload",
    "cancel_jobs",
    "retry_jobs",
    "create_key",
    "create_tenant_key",
    "search_documents",
    "create_schema",
    "check_schema",
    "create_prompt",
    "create_project",
    "set_project_defaults",
    "start_extraction",
    "create_batch",
    "configure_batch",
    "export_extractions",
    "download_dataset",
    "reprocess_document",
    "reprocess_documents",
    "add_samples",
    "submit_report",
    "create_webhook_endpoint",
    "change_webhook_endpoint",
    "stream_events",
    "place_hold",
    "get_content",
    "list_chunks",
    "redact_document",
)


async def _prepare(database_url: str, folder: Path) -> tuple[str, str, str]:
    """An operator's key, and a document that is ready with its job."""
    async with running(database_url, folder) as api:
        operator = await api.tenant("default")
        document = await uploaded(await api.admin(operator))
        (job,) = await api.claim()
        await api.complete(job, "one", "two")
        return await api.key(operator, "admin"), document["id"], document["processing_job_id"]


@pytest.fixture
def app(database_url: str, tmp_path: Path) -> Iterator[FastAPI]:
    chosen = Settings(data_dir=tmp_path)
    yield create_app(chosen, lambda: open_resources(chosen, database_url))
    shutdown_lifespans()


@pytest.fixture
def prepared(database_url: str, tmp_path: Path) -> tuple[str, str, str]:
    return asyncio.run(_prepare(database_url, tmp_path))


def _name_what_exists(case: Case, document_id: str, job_id: str) -> None:
    """Every other well-formed id becomes one that exists, or all that follows a 404 would never run."""
    existing = {"document_id": document_id, "job_id": job_id}
    for name in existing.keys() & (case.path_parameters or {}).keys():
        try:
            given = UUID(str(case.path_parameters[name]))
        except ValueError:
            continue
        if given.int % 2 and case.method != "DELETE":
            case.path_parameters[name] = existing[name]


@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_answer_is_one_that_the_openapi_document_describes(
    app: FastAPI, prepared: tuple[str, str, str], mode: GenerationMode, examples: int
) -> None:
    key, *things = prepared
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
    failures: dict[str, str] = {}
    operations = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    assert len(operations) == len(OPERATIONS)
    for operation in operations:

        @settings(max_examples=examples, derandomize=True, deadline=None, database=None, phases=[Phase.generate],
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        @given(case=operation.as_strategy(generation_mode=mode))
        def check(case: Case) -> None:
            _name_what_exists(case, *things)
            name = case.operation.definition.raw["operationId"]
            by_meaning = name in REFUSES_BY_MEANING or name.startswith("list_")
            unforeseeable = [positive_data_acceptance] if by_meaning else []
            if name in AT_ONCE:
                case.query = {**(case.query or {}), **AT_ONCE[name]}
                unforeseeable.append(negative_data_rejection)
            answer = case.call(headers={"Authorization": f"Bearer {key}"})
            # refused before anybody looked what it says; and a list in a query is only a parameter given more than once
            if answer.status_code == TooLarge.status or any(isinstance(each, list) for each in case.query.values()):
                unforeseeable.append(negative_data_rejection)
            case.validate_response(answer, excluded_checks=unforeseeable)

        try:
            check()
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE, operation.label  # it takes nothing that could be wrong
        except (FailureGroup, BaseExceptionGroup) as failure:
            failures[operation.label] = str(failure)
    assert failures == {}, "\n".join(failures.values())
