"""Uploads over HTTP: the form is parsed as it arrives, and `services/intake.py` does the rest."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any
from uuid import UUID

from fastapi import Request, Response
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)
from starlette.requests import ClientDisconnect

from docsieve import errors, metrics
from docsieve.api.access import Caller, needs_write
from docsieve.api.http import body_limit
from docsieve.api.http.multipart import MAX_FIELD_BYTES, FormStream, safe_filename
from docsieve.api.limits.limiter import Limiter
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import DirectRoute, Router
from docsieve.api.text import Name, Text, WebUrl, json_object, storable
from docsieve.api.wire.base import Moment, RunAt
from docsieve.api.wire.documents.document import DocumentRead
from docsieve.db.documents.rows import Document
from docsieve.domain.packets import Split
from docsieve.domain.reading_options import Language, ReadingOptions
from docsieve.domain.schemas.choice import choice_text
from docsieve.errors import DocsieveError, Invalid, OcrEngineUnknown, TooLarge, UnknownProject
from docsieve.errors.access import QuotaExceeded
from docsieve.errors.batches import BatchCancelled, UnknownBatch
from docsieve.errors.extractions import SchemaInvalid, UnknownSchema
from docsieve.errors.outbound import AddressNotAllowed, UrlInvalid
from docsieve.errors.uploads import SourceNotAllowed
from docsieve.resources import Resources
from docsieve.services import intake
from docsieve.services.engines import UNUSABLE
from docsieve.services.intake import UploadOptions
from docsieve.services.sources import check_source
from docsieve.sources import MAX_LENGTH

router = Router(tags=["documents"], route_class=DirectRoute)

# A client that is still sending sees an early response only if its body is read; beyond this it is disconnected.
_DRAIN_BYTES = 64 * 1024**2

# what a form may hold in addition to its file
_FORM_BYTES = 1024**2

SchemaText = Annotated[str, StringConstraints(max_length=MAX_FIELD_BYTES), AfterValidator(storable)]

IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")

IDEMPOTENCY_HEADER = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Makes it safe to send the request again.",
    "schema": {"type": "string", "pattern": f"^{IDEMPOTENCY_KEY.pattern}$"},
}

_READING = tuple(ReadingOptions.model_fields)

_accepted = metrics.uploads.labels("accepted")


class UploadFields(BaseModel):
    """The fields of the form, except the file."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    project: Name | None = None
    schema_ref: SchemaText | None = Field(
        None,
        alias="schema",
        description="A schema name (`invoice`), a version of it (`invoice@3`), a JSON Schema, `auto` (by the class of "
        "the document) or `none` (read only). Defaults to the project's schema, and then to `auto`.",
    )
    engine: Text | None = None
    priority: int = Field(0, ge=-100, le=100, description="Higher values run sooner.")
    webhook_url: WebUrl | None = Field(
        None, description="Is sent a message when the document is ready, unpacked or has failed."
    )
    metadata: dict[str, Any] = Field(default_factory=dict, description="A JSON object, returned with the document.")
    password: Text | None = Field(
        None, description="Password of a protected document. Stored encrypted, never returned."
    )
    parser: Text | None = Field(None, description="A remote parser configured on the server, such as `azure-layout`.")
    ocr_engine: Text | None = Field(None, description="`rapidocr`, `tesseract` or an installed engine.")
    ocr_languages: tuple[Language, ...] | None = Field(None, description="ISO 639-2 codes, comma-separated: `eng,deu`.")
    attachments: bool | None = Field(
        None, description="Whether attached files become documents. By default only those of emails do."
    )

    split: Split | None = Field(
        None, description="`auto` splits a PDF or multi-page scan that holds several documents. Default: `none`."
    )
    run_at: RunAt | None = Field(
        None, description="When processing is to start, with a time zone: `2026-11-18T22:00:00+01:00`."
    )
    persist_data: bool = Field(
        True,
        description="If false, the document and everything derived from it is deleted a while after it was processed.",
    )
    batch: UUID | None = Field(
        None,
        description="A batch that the document joins. It is then only read, unless `schema` is given too: its fields "
        "come from the batch.",
    )
    delete_after: Moment | None = Field(
        None, description="The document is deleted after this time, with everything derived from it."
    )

    @classmethod
    def parse(cls, fields: dict[str, str]) -> UploadOptions:
        if not fields:
            return UploadOptions()
        # browsers send fields that were left empty; an unknown field is an error even then
        values: dict[str, Any] = {
            name: value for name, value in fields.items() if value != "" or name not in _FORM["properties"]
        }
        if "ocr_languages" in values:
            values["ocr_languages"] = [part.strip() for part in values["ocr_languages"].split(",")]
        if "metadata" in values:
            values["metadata"] = json_object(values["metadata"], field="metadata")
        if values.get("schema", "").lstrip().startswith("{"):
            values["schema"] = choice_text(json_object(values["schema"], field="schema"))
        return cls.options(values)

    @classmethod
    def options(cls, values: dict[str, Any]) -> UploadOptions:
        try:
            given = dict(UploadFields.model_validate(values))
            return UploadOptions(reading=ReadingOptions(**{name: given.pop(name) for name in _READING}), **given)
        except ValidationError as error:
            invalid = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
            raise Invalid("; ".join(invalid)) from error


_FORM = UploadFields.model_json_schema()
_FORM["properties"] = {
    "file": {"type": "string", "format": "binary"},
    "source": {
        "type": "string",
        "maxLength": MAX_LENGTH,
        "description": "Instead of a file: where the server is to download it from, `s3://bucket/key`, "
        "`az://container/key`, `gs://bucket/key` or `https://host/path`, if the operator allows it.",
    },
    **_FORM["properties"],
}
_FORM["oneOf"] = [{"required": ["file"]}, {"required": ["source"]}]
_REQUEST = {
    "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _FORM}}},
    "parameters": [IDEMPOTENCY_HEADER],
}
OPTION_PROBLEMS = (
    errors.EmptyDocument, Invalid, UnknownProject, UnknownSchema, SchemaInvalid, *UNUSABLE, OcrEngineUnknown,
    UnknownBatch, BatchCancelled, UrlInvalid, AddressNotAllowed,
)  # fmt: skip
_PROBLEMS = {
    **COMMON,
    **problems(
        *OPTION_PROBLEMS,
        SourceNotAllowed,
        errors.IdempotencyConflict,
        TooLarge,
        errors.UnsupportedType,
        errors.Unavailable,
        errors.DiskFull,
        QuotaExceeded,
    ),
}


@router.post("/documents", response_model=DocumentRead, responses=_PROBLEMS, openapi_extra=_REQUEST)
@router.post(
    "/documents/upload", response_model=DocumentRead, responses=_PROBLEMS, openapi_extra=_REQUEST,
    operation_id="upload_document_second_path",
)  # fmt: skip
async def upload_document(request: Request) -> Response:
    """Store a document, queue its processing, and respond at once with `status: "pending"`.

    With a `source` instead of a file, the status is `pending_download`: the file is downloaded in the background.
    """
    key = idempotency_key_of(request)
    # a repeated request records nothing, so no transaction would check its API key again
    caller = await (needs_write.for_now(request) if key is None else needs_write(request))
    resources: Resources = request.app.state.resources
    body_limit.allow_stream(request)
    async with upload_body(request, caller) as body:
        check_announced_size(request, resources.settings.max_upload_bytes)
        form = FormStream(request.headers.get("content-type", ""), body)
        record = _download if not await form.has_file() and "source" in form.fields else _store
        document = await record(resources, caller, form, key)
    _accepted.inc()
    # already serialized, because FastAPI would take the model apart and validate it once more
    return Response(DocumentRead.model_validate(document).model_dump_json(), media_type="application/json")


async def _store(resources: Resources, caller: Caller, form: FormStream, idempotency_key: str | None) -> Document:
    document = await intake.upload(
        resources,
        caller.scope,
        await form.filename(),
        form.file(),
        lambda: UploadFields.parse(form.fields),
        api_key=caller.holder.key_id,
        idempotency_key=idempotency_key,
    )
    metrics.upload_bytes.inc(document.size or 0)
    return document


async def _download(resources: Resources, caller: Caller, form: FormStream, idempotency_key: str | None) -> Document:
    source = check_source(form.fields.pop("source"), resources.settings, caller.scope.tenant_id)
    return await intake.accept_source(
        resources,
        caller.scope,
        safe_filename(source.plain_path),
        source,
        UploadFields.parse(form.fields),
        api_key=caller.holder.key_id,
        idempotency_key=idempotency_key,
    )


def idempotency_key_of(request: Request) -> str | None:
    key = request.headers.get("idempotency-key")
    if key is not None and not IDEMPOTENCY_KEY.fullmatch(key):
        raise Invalid("header.idempotency-key: it must be 1 to 255 visible ASCII characters.")
    return key


def check_announced_size(request: Request, max_bytes: int) -> None:
    if int(request.headers.get("content-length", 0)) > max_bytes + _FORM_BYTES:
        raise TooLarge(f"The document is larger than {max_bytes} bytes.")


@asynccontextmanager
async def upload_body(request: Request, caller: Caller) -> AsyncIterator[AsyncIterator[bytes]]:
    """The body of an upload within the caller's limits."""
    limiter: Limiter = request.app.state.limiter
    announced = int(request.headers.get("content-length", 0))
    body: AsyncIterator[bytes] = request.stream()
    async with early_responses(body):
        with limiter.upload(caller.holder) as charge:
            if announced:
                charge(announced)
                yield body
            else:
                yield _charged(body, charge)


@asynccontextmanager
async def early_responses(body: AsyncIterator[bytes]) -> AsyncIterator[None]:
    """Count uploads that were not accepted, and read on so that a client that is still sending sees the response."""
    try:
        yield
    except DocsieveError as error:
        metrics.uploads.labels(error.code).inc()
        await _drain(body)
        raise
    except ClientDisconnect as error:
        metrics.uploads.labels("client_gone").inc()
        raise Invalid("The client closed the connection before the body was complete.") from error


async def _charged(body: AsyncIterator[bytes], charge: Callable[[int], None]) -> AsyncIterator[bytes]:
    async for chunk in body:
        charge(len(chunk))
        yield chunk


async def _drain(body: AsyncIterator[bytes]) -> None:
    left = _DRAIN_BYTES
    try:
        async for chunk in body:
            left -= len(chunk)
            if left < 0:
                return
    except ClientDisconnect:
        return
