"""Reports: several files in one request become one extraction, followed by its job."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Request
from pydantic import TypeAdapter, ValidationError

from docsieve import errors
from docsieve.api.access import Caller, Reader, Resources, Session, Writer
from docsieve.api.http import body_limit
from docsieve.api.http.multipart import FormStream
from docsieve.api.problems import COMMON, problems
from docsieve.api.routes.documents.uploads import (
    IDEMPOTENCY_HEADER,
    check_announced_size,
    idempotency_key_of,
    upload_body,
)
from docsieve.api.routing import Router
from docsieve.api.text import Text, WebUrl
from docsieve.api.wire.extractions import MAX_DOCUMENTS
from docsieve.api.wire.reports import ReportAccepted, ReportState
from docsieve.db.extractions import corrections
from docsieve.db.extractions import reports as report_jobs
from docsieve.db.extractions import rows as extractions
from docsieve.db.webhooks import deliveries
from docsieve.errors import Invalid, NotFound
from docsieve.errors.extractions import UnknownPrompt, UnknownSchema
from docsieve.errors.outbound import AddressNotAllowed, UrlInvalid
from docsieve.services import reports
from docsieve.services.engines import UNUSABLE
from docsieve.services.review.corrections import held_value

router = Router(tags=["reports"], responses=COMMON)

_WEB_URL = TypeAdapter(WebUrl)
_FORM = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": {"type": "array", "items": {"type": "string", "format": "binary"}, "maxItems": MAX_DOCUMENTS},
        "webhook_url": {"type": "string", "description": "The same as in the query."},
    },
}
_REQUEST: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _FORM}}},
    "parameters": [IDEMPOTENCY_HEADER],
}
_REFUSED = (
    errors.EmptyDocument, Invalid, NotFound, UnknownSchema, UnknownPrompt, *UNUSABLE, errors.IdempotencyConflict,
    errors.TooLarge, errors.UnsupportedType, errors.Unavailable, errors.DiskFull, UrlInvalid, AddressNotAllowed,
)  # fmt: skip


@router.post(
    "/tenants/{tenant}/projects/{project}/reports",
    response_model=ReportAccepted,
    responses=problems(*_REFUSED),
    openapi_extra=_REQUEST,
)
async def submit_report(
    tenant: Text,
    project: Text,
    request: Request,
    caller: Writer,
    resources: Resources,
    webhook_url: Annotated[WebUrl | None, Query(description="Is sent the data of the report when it ends.")] = None,
) -> ReportAccepted:
    """Store the files of a report, queue their parsing, and respond at once. Tenant and project are names or ids."""
    _check_tenant(caller, tenant)
    key = idempotency_key_of(request)
    body_limit.allow_stream(request)
    async with upload_body(request, caller) as body:
        check_announced_size(request, resources.settings.max_upload_bytes)
        form = FormStream(request.headers.get("content-type", ""), body, max_files=MAX_DOCUMENTS)
        report = await reports.submit(
            resources,
            caller.scope,
            project,
            form.files(),
            lambda: _webhook_url(form.fields) or webhook_url,
            idempotency_key=key,
        )
    return ReportAccepted.of(report)


@router.get(
    "/job/status/{job_id}",
    response_model=ReportState,
    response_model_exclude_unset=True,
    responses=problems(NotFound),
)
async def get_report_status(job_id: UUID, caller: Reader, session: Session) -> ReportState:
    """Get the status of a report and, once it is completed, its data."""
    extraction = await extractions.find_by_job(session, job_id)
    if extraction is None:
        raise NotFound("Job not found.")
    value = held_value(extraction, await corrections.of_extraction(session, extraction.id))
    sent = await deliveries.newest_of(session, extraction.id)
    return ReportState.of(extraction, await report_jobs.find_job(session, job_id), value, sent)


def _check_tenant(caller: Caller, tenant: str) -> None:
    if tenant not in (caller.holder.tenant, str(caller.holder.tenant_id)):
        raise NotFound("Project not found.")


def _webhook_url(fields: dict[str, str]) -> str | None:
    """Raises Invalid for other fields and for an invalid URL."""
    unknown = fields.keys() - {"webhook_url"}
    if unknown:
        raise Invalid(f"{min(unknown)}: Unknown field. Known: file, webhook_url.")
    try:
        return _WEB_URL.validate_python(fields["webhook_url"]) if fields.get("webhook_url") else None
    except ValidationError as error:
        raise Invalid(f"webhook_url: {error.errors()[0]['msg']}") from error
