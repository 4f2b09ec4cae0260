"""Intake: the body streams to the store, and the answer comes when the document and its job are committed."""

import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from starlette.requests import ClientDisconnect

from docsieve import errors, faults, metrics
from docsieve.api import body_limit
from docsieve.api.access import Caller, needs_write, writer_for_now
from docsieve.api.multipart import FormStream
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import DirectRoute, Router
from docsieve.api.text import Name, Text, json_object
from docsieve.api.wire.documents import DocumentRead
from docsieve.db.documents import Document
from docsieve.db.intake import KeyAlreadyUsed
from docsieve.disk import require_room_for_work
from docsieve.domain.documents import original_key
from docsieve.domain.reading import Language, ReadingWishes
from docsieve.domain.scope import Scope
from docsieve.errors import DatabaseUnavailable, DocsieveError, Invalid, OcrEngineUnknown, TooLarge, UnknownProject
from docsieve.errors.extractions import UnknownSchema
from docsieve.resources import Resources
from docsieve.services import documents, intake
from docsieve.services.documents import StoredUpload, Wishes
from docsieve.services.engines import UNUSABLE

router = Router(tags=["documents"], route_class=DirectRoute)

# A client that is still sending hears an early answer only if somebody reads what it sends; past this it is cut off.
_DRAIN_BYTES = 64 * 1024**2

_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")

_READING = tuple(ReadingWishes.model_fields)

_accepted = metrics.uploads.labels("accepted")


class UploadFields(BaseModel):
    """The form's fields beside the file."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    project: Name | None = None
    schema_ref: Text | None = Field(None, alias="schema")
    engine: Text | None = None
    priority: int = Field(0, ge=-100, le=100, description="higher is sooner")
    webhook_url: Text | None = None
    metadata: dict[str, Any] = Field(default_factory=dict, description="a JSON object, kept with the document")
    password: Text | None = Field(None, description="opens a protected document; stored sealed, never shown")
    parser: Text | None = Field(None, description="a remote parser that the operator configured, such as azure-layout")
    ocr_engine: Text | None = Field(None, description="rapidocr, tesseract, or an installed one")
    ocr_languages: tuple[Language, ...] | None = Field(None, description="ISO 639-2 codes, comma-separated: eng,deu")
    attachments: bool | None = Field(
        None, description="read what is attached as documents of their own; mail's are unless this is false"
    )

    @field_validator("webhook_url")
    @classmethod
    def _is_http(cls, url: str | None) -> str | None:
        if url is not None and (urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname):
            raise ValueError("must be an http or https URL")
        return url

    @classmethod
    def parse(cls, fields: dict[str, str]) -> Wishes:
        if not fields:
            return Wishes()
        # a form sends what its user left empty; only a field that we know can be left empty
        values: dict[str, Any] = {
            name: value for name, value in fields.items() if value != "" or name not in _FORM["properties"]
        }
        if "ocr_languages" in values:
            values["ocr_languages"] = [part.strip() for part in values["ocr_languages"].split(",")]
        if "metadata" in values:
            values["metadata"] = json_object(values["metadata"])
        try:
            said = dict(cls.model_validate(values))
            return Wishes(reading=ReadingWishes(**{name: said.pop(name) for name in _READING}), **said)
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
            raise Invalid("; ".join(faults)) from error


_FORM = UploadFields.model_json_schema()
_FORM["properties"] = {"file": {"type": "string", "format": "binary"}, **_FORM["properties"]}
_FORM["required"] = ["file"]
_REQUEST = {
    "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _FORM}}},
    "parameters": [
        {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "repeat a request safely",
            "schema": {"type": "string", "pattern": f"^{_IDEMPOTENCY_KEY.pattern}$"},
        }
    ],
}
_PROBLEMS = {
    **COMMON,
    **problems(
        errors.EmptyDocument, Invalid, UnknownProject, UnknownSchema, *UNUSABLE, OcrEngineUnknown,
        errors.IdempotencyConflict, TooLarge, errors.UnsupportedType, errors.Unavailable, errors.DiskFull,
    ),
}  # fmt: skip


@router.post("/documents", response_model=DocumentRead, responses=_PROBLEMS, openapi_extra=_REQUEST)
@router.post(
    "/documents/upload", response_model=DocumentRead, responses=_PROBLEMS, openapi_extra=_REQUEST,
    operation_id="upload_document_second_path",
)  # fmt: skip
async def upload_document(request: Request) -> Response:
    """Store a document, queue its reading and answer at once with `status: "pending"`."""
    key = _idempotency_key(request)
    # a replay records nothing that would check the API key again
    caller = await (writer_for_now(request) if key is None else needs_write(request))
    body_limit.allow_stream(request)
    body = request.stream()
    try:
        document = await _accept(request, body, caller, key)
    except DocsieveError as error:
        metrics.uploads.labels(error.code).inc()
        await _drain(body)
        raise
    except ClientDisconnect as error:
        metrics.uploads.labels("client_gone").inc()
        raise Invalid("The client closed the connection before the body was complete.") from error
    _accepted.inc()
    metrics.upload_bytes.inc(document.size)
    # a finished answer, because FastAPI would take the model apart and check it once more
    return Response(DocumentRead.model_validate(document).model_dump_json(), media_type="application/json")


def _idempotency_key(request: Request) -> str | None:
    key = request.headers.get("idempotency-key")
    if key is not None and not _IDEMPOTENCY_KEY.fullmatch(key):
        raise Invalid("header.idempotency-key: it must be 1 to 255 visible ASCII characters.")
    return key


async def _accept(request: Request, body: AsyncIterator[bytes], caller: Caller, key: str | None) -> Document:
    resources: Resources = request.app.state.resources
    scope, limit = caller.scope, resources.settings.max_upload_bytes
    if int(request.headers.get("content-length", 0)) > limit + 1024**2:
        raise TooLarge(f"The document is larger than {limit} bytes.")
    require_room_for_work(resources.settings)
    form = FormStream(request.headers.get("content-type", ""), body)
    filename = await form.filename()
    if key is not None and await _used(scope, resources, key):
        upload = await intake.measure(filename, form.file(), max_bytes=limit)
        replayed = await _replay(scope, resources, upload, UploadFields.parse(form.fields), key)
        if replayed is not None:
            return replayed
        raise errors.Unavailable("The document of this Idempotency-Key was deleted meanwhile; try again.")
    upload = await intake.store(resources.blobs, scope.tenant_id, filename, form.file(), max_bytes=limit)
    try:
        document = await _record(caller, resources, upload, UploadFields.parse(form.fields), key)
    except DatabaseUnavailable:
        raise  # perhaps it was committed, so the bytes stay; if not, the sweep finds them
    except DocsieveError:
        # rolled back for certain, so nothing points at the bytes; any other failure leaves them to the sweep
        await resources.blobs.delete(original_key(scope.tenant_id, upload.document_id))
        raise
    faults.step("upload.committed")
    return document


async def _record(
    caller: Caller, resources: Resources, upload: StoredUpload, wishes: Wishes, key: str | None
) -> Document:
    scope = caller.scope
    try:
        return await documents.accept(
            resources, scope, upload, wishes, api_key=caller.holder.key_id, idempotency_key=key
        )
    except KeyAlreadyUsed:
        assert key is not None
        replayed = await _replay(scope, resources, upload, wishes, key)
        if replayed is None:
            raise errors.Unavailable("Another request with this Idempotency-Key is under way; try again.") from None
        await resources.blobs.delete(original_key(scope.tenant_id, upload.document_id))
        return replayed


async def _used(scope: Scope, resources: Resources, key: str) -> bool:
    async with resources.database.tenant(scope) as session:
        return await documents.key_used(session, key)


async def _replay(
    scope: Scope, resources: Resources, upload: StoredUpload, wishes: Wishes, key: str
) -> Document | None:
    async with resources.database.tenant(scope) as session:
        return await documents.replay(session, resources, upload, wishes, key)


async def _drain(body: AsyncIterator[bytes]) -> None:
    left = _DRAIN_BYTES
    try:
        async for chunk in body:
            left -= len(chunk)
            if left < 0:
                return
    except ClientDisconnect:
        return
