"""Routes that check a request before its body is read: a key with the right scope, and no unknown query parameters."""

from collections.abc import Callable, Coroutine
from difflib import get_close_matches
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.params import Query
from fastapi.routing import APIRoute

from docsieve.api.access import Check, KeyCheck, opens_session

API_PREFIX = "/api/v1"

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Route(APIRoute):
    """FastAPI reads the body before it resolves dependencies, so the key is checked here, before both."""

    def get_route_handler(self) -> Handler:
        respond = self.inner_handler()
        rechecked = self.methods == {"GET"} and opens_session(self.dependant)
        checks: list[Callable[[Request], Coroutine[Any, Any, object]]] = []
        for each in self.dependant.dependencies:
            if rechecked and isinstance(each.call, KeyCheck):
                checks.append(each.call.for_now)
            elif isinstance(each.call, Check):
                checks.append(each.call)
        known = [each.alias for each in get_flat_params(self.dependant) if isinstance(each.field_info, Query)]
        described = (self.openapi_extra or {}).get("parameters", [])
        known += [each["name"] for each in described if each["in"] == "query"]

        async def handle(request: Request) -> Response:
            for check in checks:
                await check(request)
            if request.scope["query_string"]:
                _reject_unknown(request, known)
            return await respond(request)

        return handle

    def inner_handler(self) -> Handler:
        """The handler to call after the checks."""
        return super().get_route_handler()


class DirectRoute(Route):
    """For the busiest routes: calls the endpoint with only the request. The endpoint checks the key itself."""

    def inner_handler(self) -> Handler:
        endpoint: Handler = self.endpoint
        return endpoint


class Router(APIRouter):
    """Its routes are complete, so that an application takes them as they are: `include_router` builds each again."""

    def __init__(
        self, *, prefix: str = "", versioned: bool = True, route_class: type[Route] = Route, **options: Any
    ) -> None:
        super().__init__(
            prefix=f"{API_PREFIX if versioned else ''}{prefix}",
            route_class=route_class,
            # The function name is the operation id, so that generated clients have readable names.
            generate_unique_id_function=lambda route: route.name,
            **options,
        )


def _reject_unknown(request: Request, known: list[str]) -> None:
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
