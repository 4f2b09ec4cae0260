"""Azure Document Intelligence on loopback, as its documentation describes it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

KEY = "a-very-secret-subscription-key"
OPERATION = "3b31320d-8bab-4f88-b19c-2322a7f11034"


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


RUNNING = Answer(body={"status": "running", "createdDateTime": "2026-01-01T00:00:00Z"})


def accepted(**headers: str) -> Answer:
    return Answer(202, None, headers)


def succeeded(analysis: dict[str, Any]) -> Answer:
    whole = {"apiVersion": "2024-11-30", "modelId": "prebuilt-layout", "stringIndexType": "textElements", **analysis}
    return Answer(body={"status": "succeeded", "analyzeResult": whole})


def failed(code: str, message: str = "", **more: Any) -> Answer:
    return Answer(body={"status": "failed", "error": {"code": code, "message": message, **more}})


def refused(status: int, inner: str, message: str = "", **headers: str) -> Answer:
    error = {
        "code": "InvalidRequest",
        "message": "Invalid request.",
        "innererror": {"code": inner, "message": message},
    }
    return Answer(status, {"error": error}, headers)


@dataclass
class AzureService:
    """Gives the answers it was told to, in their order; the last one again and again."""

    submits: list[Answer] = field(default_factory=lambda: [accepted()])
    polls: list[Answer] = field(default_factory=list)
    documents: list[bytes] = field(default_factory=list)
    requests: list[web.Request] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    endpoint: str = ""

    def paths(self, method: str) -> list[str]:
        return [request.path_qs for request in self.requests if request.method == method]

    async def submit(self, request: web.Request) -> web.Response:
        self.requests.append(request)
        self.documents.append(await request.read())
        if request.headers.get("Ocp-Apim-Subscription-Key") != KEY:
            return web.json_response({"error": {"code": "401", "message": "Access denied."}}, status=401)
        answer = self._next(self.submits)
        where = f"{self.endpoint}/documentintelligence/documentModels/{request.match_info['model']}"
        location = f"{where}/analyzeResults/{OPERATION}?api-version=2024-11-30"
        return _response(answer, {"Operation-Location": location} if answer.status == 202 else {})

    async def poll(self, request: web.Request) -> web.Response:
        self.requests.append(request)
        assert request.headers["Ocp-Apim-Subscription-Key"] == KEY
        assert request.match_info["operation"] == OPERATION
        self.asked.set()
        return _response(self._next(self.polls), {})

    async def stray(self, request: web.Request) -> web.Response:
        self.requests.append(request)
        return web.Response(status=404)

    @staticmethod
    def _next(answers: list[Answer]) -> Answer:
        return answers.pop(0) if len(answers) > 1 else answers[0]


def _response(answer: Answer, headers: dict[str, str]) -> web.Response:
    sent = {**headers, **{name.replace("_", "-"): value for name, value in answer.headers.items()}}
    if answer.body is None or isinstance(answer.body, str):
        return web.Response(status=answer.status, text=answer.body, headers=sent)
    return web.json_response(answer.body, status=answer.status, headers=sent)


@asynccontextmanager
async def azure_service() -> AsyncIterator[AzureService]:
    service = AzureService()
    app = web.Application(client_max_size=64 * 1024**2)
    models = "/documentintelligence/documentModels"
    app.router.add_post(models + "/{model}:analyze", service.submit)
    app.router.add_get(models + "/{model}/analyzeResults/{operation}", service.poll)
    app.router.add_route("*", "/{elsewhere:.*}", service.stray)
    async with TestServer(app) as server:
        service.endpoint = str(server.make_url("")).rstrip("/")
        yield service
