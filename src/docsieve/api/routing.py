"""What holds for every operation before its body is read: a key that allows it."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute

from docsieve.api.access import KeyCheck

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Route(APIRoute):
    """FastAPI reads the body before it resolves dependencies, so the key is checked here, ahead of both."""

    def get_route_handler(self) -> Handler:
        answer = self.answering()
        checks = [each.call for each in self.dependant.dependencies if isinstance(each.call, KeyCheck)]

        async def handle(request: Request) -> Response:
            for check in checks:
                await check(request)
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
