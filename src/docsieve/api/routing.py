"""What holds for every operation before its body is read: a key that allows it, and no unknown query parameters."""

from collections.abc import Callable, Coroutine
from difflib import get_close_matches
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.params import Query
from fastapi.routing import APIRoute

from docsieve.api.access import KeyCheck

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Route(APIRoute):
    """FastAPI reads the body before it resolves dependencies, so the key is checked here, ahead of both."""

    def get_route_handler(self) -> Handler:
        answer = self.answering()
        checks = [each.call for each in self.dependant.dependencies if isinstance(each.call, KeyCheck)]
        known = [each.alias for each in get_flat_params(self.dependant) if isinstance(each.field_info, Query)]

        async def handle(request: Request) -> Response:
            for check in checks:
                await check(request)
            if request.scope["query_string"]:
                _refuse_unknown(request, known)
            return await answer(request)

        return handle

    def answering(self) -> Handler:
        """The handler behind the checks."""
        return super().get_route_handler()


class DirectRoute(Route):
    """Calls the endpoint with the request alone, which checks the key itself: for the busiest routes."""

    def answering(self) -> Handler:
        endpoint: Handler = self.endpoint
        return endpoint


class Router(APIRouter):
    def __init__(self, *, route_class: type[Route] = Route, **options: Any) -> None:
        super().__init__(route_class=route_class, **options)


def _refuse_unknown(request: Request, known: list[str]) -> None:
    faults = [
        {"type": "extra_forbidden", "loc": ("query", name), "msg": _advice(name, known)}
        for name in request.query_params
        if name not in known
    ]
    if faults:
        raise RequestValidationError(faults)


def _advice(name: str, known: list[str]) -> str:
    if near := get_close_matches(name.lower(), known, n=1):
        return f"Unknown parameter. Did you mean {near[0]}?"
    return f"Unknown parameter. Known: {', '.join(sorted(known))}." if known else "This route takes no parameters."
