"""The processing status of a document, for clients that poll it or wait for it."""

import hashlib
from dataclasses import dataclass
from time import monotonic
from typing import Self
from uuid import UUID

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field, ValidationError

from docsieve.api.access import Caller, needs_read
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import DirectRoute, Router
from docsieve.api.waiting import WaitingRequests
from docsieve.api.wire.base import Reason, StatusProgress
from docsieve.api.wire.documents.document import DocumentState, StatusExtraction, StatusJob, StatusReading
from docsieve.db.documents import rows as documents
from docsieve.db.documents.rows import StatusRow
from docsieve.domain.documents import IN_PROGRESS, DocumentStatus
from docsieve.domain.jobs import JobStatus
from docsieve.errors import NotFound
from docsieve.resources import Resources as AppResources
from docsieve.services import documents as service

router = Router(prefix="/documents", tags=["documents"], responses=COMMON, route_class=DirectRoute)

MAX_WAIT_SECONDS = 60
_MAX_POSITION = 1000


_PARAMETERS = [
    {"name": "document_id", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}},
    {
        "name": "wait",
        "in": "query",
        "description": "Seconds to wait: with `If-None-Match` until the status differs from that one (changes of "
        "`queue_position` alone do not count), without it until the document is no longer in progress.",
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_WAIT_SECONDS, "default": 0},
    },
    {"name": "If-None-Match", "in": "header", "schema": {"type": "string"}},
]


class _Wanted(BaseModel):
    document_id: UUID
    wait: int = Field(0, ge=0, le=MAX_WAIT_SECONDS)

    @classmethod
    def of(cls, request: Request) -> Self:
        try:
            return cls.model_validate({**request.query_params, **request.path_params})
        except ValidationError as error:
            faults = [
                {**each, "loc": ("query" if each["loc"][0] == "wait" else "path", *each["loc"])}
                for each in error.errors()
            ]
            raise RequestValidationError(faults) from error


@router.get(
    "/{document_id}/status",
    response_model=DocumentState,
    responses={304: {"description": "Not modified since the ETag in `If-None-Match`"}, **problems(NotFound)},
    openapi_extra={"parameters": _PARAMETERS},
)
async def get_status(request: Request) -> Response:
    """Get the processing status. Cheap enough to poll, with the last response's ETag in `If-None-Match`."""
    caller = await needs_read.for_now(request)
    wanted = _Wanted.of(request)
    resources: AppResources = request.app.state.resources
    if_none_match = request.headers.get("if-none-match")
    state = await _read_state(resources, caller, wanted.document_id)
    if wanted.wait and _is_awaited(state, if_none_match):
        waiting: WaitingRequests = request.app.state.waiting
        deadline = monotonic() + wanted.wait
        with waiting.statuses.watch(caller.scope.tenant_id, wanted.document_id) as watch:
            while (
                _is_awaited(state, if_none_match)
                and not waiting.statuses.ending
                and await watch.changed(seconds=deadline - monotonic())
            ):
                state = await _read_state(resources, caller, wanted.document_id)
    headers = {"ETag": state.etag, "Cache-Control": "private, no-cache"}
    if state.matches(if_none_match):
        return Response(status_code=304, headers=headers)
    return Response(state.body, media_type="application/json", headers=headers)


@dataclass(frozen=True, slots=True)
class _State:
    """The ETag is that of the row, so that no body has to be written for a client that knows it."""

    row: StatusRow
    etag: str

    @property
    def in_progress(self) -> bool:
        return DocumentStatus(self.row.status) in IN_PROGRESS

    @property
    def body(self) -> bytes:
        return _state(self.row).model_dump_json().encode()

    def matches(self, if_none_match: str | None) -> bool:
        return if_none_match is not None and (self.etag in if_none_match or if_none_match == "*")


def _is_awaited(state: _State, if_none_match: str | None) -> bool:
    return state.in_progress if if_none_match is None else state.matches(if_none_match)


async def _read_state(resources: AppResources, caller: Caller, document_id: UUID) -> _State:
    """Holds no connection afterwards, because the request may wait. Raises NotFound, and Unauthorized."""
    row = await documents.status(
        resources.database, caller.scope, document_id, max_position=_MAX_POSITION, api_key=caller.key_to_check
    )
    if row is None:
        raise service.not_found()
    return _State(row, f'"{hashlib.blake2b(repr(row).encode(), digest_size=12).hexdigest()}"')


def _state(row: StatusRow) -> DocumentState:
    progress = None
    if row.status in (DocumentStatus.processing, DocumentStatus.unpacking):
        progress = StatusProgress.model_validate_json(row.progress or '{"stage": "starting"}')
    return DocumentState(
        status=DocumentStatus(row.status),
        job=_job(row),
        progress=progress,
        queue_position=row.queue_position,
        page_count=row.page_count,
        reading=_reading(row),
        extraction=_extraction(row),
        error=Reason.of(row.error_code, row.error_message)
        or Reason.of(row.attempt_error_code, row.attempt_error_message),
    )


def _job(row: StatusRow) -> StatusJob | None:
    if row.job_id is None or row.job_status is None or row.attempts is None or row.max_attempts is None:
        return None
    status = JobStatus.pending if row.job_status == "scheduled" else JobStatus(row.job_status)
    return StatusJob(
        id=row.job_id,
        status=status,
        attempts=row.attempts,
        max_attempts=row.max_attempts,
        run_at=row.run_at,
        deferred_by=row.deferred_by,
    )


def _reading(row: StatusRow) -> StatusReading | None:
    if row.parser is None or row.parser_version is None or row.read_cached is None:
        return None
    return StatusReading(parser=row.parser, version=row.parser_version, cache_hit=row.read_cached)


def _extraction(row: StatusRow) -> StatusExtraction | None:
    if row.extraction_id is None or row.extraction_status is None:
        return None
    return StatusExtraction(
        id=row.extraction_id,
        status=JobStatus(row.extraction_status),
        needs_review=row.needs_review,
        error=Reason.of(row.extraction_error_code, row.extraction_error_message),
    )
