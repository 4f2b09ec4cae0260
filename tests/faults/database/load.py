"""Clients that upload while something happens to the database."""

import threading
from typing import Self

import httpx

from tests.faults.checker import check
from tests.service import Service, poll_until
from tests.signals import named

CLIENTS, UPLOADS_EACH = 4, 15


class Load:
    """Uploads to a service with an API and two workers."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._accepted: list[str] = []
        self._clients = [threading.Thread(target=self._send, args=(part,)) for part in range(CLIENTS)]

    @classmethod
    def started(cls, service: Service) -> Self:
        service.api()
        service.worker()
        service.worker()
        load = cls(service)
        for client in load._clients:
            client.start()
        return load

    def until_committed(self, uploads: int) -> None:
        self._service.signals.until(named("upload.committed"), times=uploads)

    def check(self, *, seconds: float = 120) -> None:
        """Let the clients finish. Every answered upload is there once, and has been read."""
        for client in self._clients:
            client.join()
        assert len(set(self._accepted)) == CLIENTS * UPLOADS_EACH
        for document_id in self._accepted:
            assert self._service.settled(document_id, seconds=seconds)["status"] == "ready"
        assert len(check(self._service, self._accepted)) == CLIENTS * UPLOADS_EACH

    def _send(self, part: int) -> None:
        for number in range(UPLOADS_EACH):
            self._accepted.append(self._until_answered(f"{part} {number}"))

    def _until_answered(self, content: str) -> str:
        """A client as it should be: the same Idempotency-Key until there is an answer."""

        def attempt() -> str | None:
            try:
                answer = self._service.upload(content.encode(), key=content.replace(" ", "-"))
            except httpx.TransportError:
                return None
            if answer.status_code in (500, 503):
                assert answer.status_code == 503, answer.text
                return None
            document_id: str = answer.raise_for_status().json()["id"]
            return document_id

        return poll_until(attempt, seconds=60, what=f"upload {content} answered")
