"""Errors on the wire: RFC 9457 problem documents with a stable `code`."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from docsieve import errors
from docsieve.domain.text import visible
from docsieve.errors import DatabaseUnavailable, DocsieveError
from docsieve.errors.access import CsrfFailed, RateLimited, SessionExpired
from docsieve.errors.extractions import SchemaInvalid
from docsieve.logs import get_logger

log = get_logger()

MEDIA_TYPE = "application/problem+json"
FRAME_HEADERS = "docsieve.frame_headers"


class Fault(BaseModel):
    """One thing that is wrong with a request, and where."""

    where: str
    message: str


class Problem(BaseModel):
    type: str = Field(examples=["about:blank"])
    title: str
    status: int
    code: str = Field(description="stable; branch on this, show `detail` to people")
    detail: str
    errors: list[Fault] = Field(default_factory=list)


def problems(*kinds: type[DocsieveError]) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: the failures it declares, one entry a status, its codes in the description."""
    by_status: dict[int | str, list[str]] = {}
    for kind in kinds:
        by_status.setdefault(kind.status, []).append(kind.code)
    return {
        status: {
            "description": "Problem: " + ", ".join(f"`{code}`" for code in codes),
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, codes in by_status.items()
    }


# What any route behind a key may answer.
COMMON = problems(
    errors.Unauthorized,
    SessionExpired,
    errors.Forbidden,
    CsrfFailed,
    errors.Invalid,
    RateLimited,
    errors.Unavailable,
)


def _answer(problem: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(problem.model_dump(), problem.status, headers=headers, media_type=MEDIA_TYPE)


def _problem(status: int, code: str, detail: str, faults: list[Fault] | None = None) -> Problem:
    return Problem(
        type="about:blank",
        title=code.replace("_", " ").capitalize(),
        status=status,
        code=code,
        detail=visible(detail),
        errors=[Fault(where=visible(each.where), message=visible(each.message)) for each in faults or ()],
    )


def install(app: FastAPI) -> None:
    app.add_exception_handler(DocsieveError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_crash)


async def _on_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, DocsieveError)
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, RateLimited):
        headers |= _rate_limit_headers(error)
    if isinstance(error, DatabaseUnavailable):
        log.error("database_unreachable", error=error.reason)
    told = error.problems if isinstance(error, SchemaInvalid) else []
    faults = [Fault(where=each.pointer, message=each.message) for each in told]
    return _answer(_problem(error.status, error.code, error.detail, faults), headers)


def _rate_limit_headers(error: RateLimited) -> dict[str, str]:
    """Headers of the IETF draft. A limit on what happens at once has no window."""
    window = f";w={error.window:.0f}" if error.window else ""
    return {
        "RateLimit-Policy": f'"{error.name}";q={error.quantity:.0f}{window}',
        "RateLimit-Limit": f"{error.quantity:.0f}",
        "RateLimit-Remaining": "0",
        "RateLimit-Reset": str(error.retry_after),
    }


async def _on_invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    faults = [Fault(where=".".join(map(str, e["loc"])), message=e["msg"]) for e in error.errors()]
    detail = "; ".join(f"{fault.where}: {fault.message}" for fault in faults)
    return _answer(_problem(422, errors.Invalid.code, detail, faults))


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, DocsieveError):
        # FastAPI turns whatever stops it from reading a body into a plain 400; ours knew better
        return await _on_error(request, error.__cause__)
    if error.status_code == 400:
        return await _on_error(request, errors.Invalid("The body is not valid JSON."))
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
    return _answer(_problem(error.status_code, code, str(error.detail)), dict(error.headers or {}))


async def _on_crash(request: Request, error: Exception) -> JSONResponse:
    # Starlette calls this outside of all middleware, so what the frame adds to every answer is added here
    headers = request.scope.get(FRAME_HEADERS, {})
    log.error("request_crashed", exc_info=error, request_id=headers.get("x-request-id"))
    return _answer(_problem(500, "internal_error", "Internal error. It has been logged."), headers)
