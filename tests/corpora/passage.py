"""Sends files through a running service while another tenant must not notice."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from docsieve.domain.documents import FINAL
from docsieve.settings import Settings
from tests.corpora.manifest import Specimen
from tests.corpora.outcomes import UNFINISHED, Neighbors, Outcome
from tests.service import Service

_LOOK_SECONDS = 0.5
_HEALTHY_EVERY = 4
_SPARE_SECONDS = 60.0


@dataclass(slots=True)
class _UnderWay:
    specimen: Specimen
    document_id: str
    sent: float


def send_through(
    service: Service, specimens: Sequence[Specimen], on_final: Callable[[Outcome], None]
) -> tuple[list[Outcome], Neighbors]:
    """Upload all of them and wait until each is final, or nothing has moved for as long as one document may take."""
    neighbor = _Neighbor(service)
    neighbor.start()
    outcomes: list[Outcome] = []

    def ended(outcome: Outcome) -> None:
        outcomes.append(outcome)
        on_final(outcome)

    under_way = []
    for specimen in specimens:
        sent = _send(service, specimen)
        if isinstance(sent, Outcome):
            ended(sent)
        else:
            under_way.append(sent)
    _wait(service, under_way, ended)
    attached = _attached(service)
    return outcomes, neighbor.finish(attached)


def _send(service: Service, specimen: Specimen) -> _UnderWay | Outcome:
    options = {"schema": "none", **({"password": specimen.password} if specimen.password else {})}
    answer = service.upload(specimen.path.read_bytes(), specimen.path.name, **options)
    if answer.is_client_error:
        return Outcome(specimen, "refused", answer.json()["code"])
    return _UnderWay(specimen, answer.raise_for_status().json()["id"], time.monotonic())


def _wait(service: Service, under_way: list[_UnderWay], ended: Callable[[Outcome], None]) -> None:
    """Progress within a document counts as movement: a scan of many pages is slow, not stuck."""
    patience = longest_wait(service)
    moved, before = time.monotonic(), ""
    while under_way:
        states = {each.document_id: service.status(each.document_id) for each in under_way}
        for each in [each for each in under_way if states[each.document_id]["status"] in FINAL]:
            under_way.remove(each)
            ended(_outcome(service, each, states[each.document_id]))
        now = str([(state["status"], state["progress"], state["job"]) for state in states.values()])
        if now != before:
            moved, before = time.monotonic(), now
        if time.monotonic() - moved > patience:
            for each in under_way:
                ended(Outcome(each.specimen, UNFINISHED, seconds=time.monotonic() - each.sent))
            return
        time.sleep(_LOOK_SECONDS)


def _attached(service: Service) -> Counter[str]:
    """How the documents ended that came inside of others."""
    deadline = time.monotonic() + longest_wait(service)
    while True:
        found = [document for document in _all_documents(service) if document["parent_id"] is not None]
        if all(document["status"] in FINAL for document in found) or time.monotonic() > deadline:
            break
        time.sleep(_LOOK_SECONDS)
    return Counter(
        document["status"] if document["error"] is None else f"{document['status']}: {document['error']['code']}"
        for document in found
    )


def _all_documents(service: Service) -> Iterator[dict[str, Any]]:
    cursor: str | None = ""
    while cursor is not None:
        asked = {"limit": "100"} | ({"cursor": cursor} if cursor else {})
        page = service.client.get("/documents", params=asked).raise_for_status().json()
        yield from page["documents"]
        cursor = page["next_cursor"]


def longest_wait(service: Service) -> float:
    """What all attempts at one document may take by the service's own limits."""
    said = service.environment.get("DOCSIEVE_PARSER_SECONDS")
    seconds = float(said) if said else Settings.model_fields["parser_seconds"].default
    attempts = int(service.environment.get("DOCSIEVE_MAX_ATTEMPTS", Settings.model_fields["max_attempts"].default))
    return float(seconds) * attempts + _SPARE_SECONDS


def _outcome(service: Service, each: _UnderWay, state: dict[str, Any]) -> Outcome:
    seconds = time.monotonic() - each.sent
    if state["status"] != "ready":
        code = state["error"]["code"] if state["error"] else None
        return Outcome(each.specimen, state["status"], code, seconds=seconds)
    document = service.client.get(f"/documents/{each.document_id}").raise_for_status().json()
    text = service.client.get(f"/documents/{each.document_id}/text").raise_for_status().json()["text"]
    pages = {"pages": document["page_count"], "pages_failed": document["pages_failed"] or 0}
    return Outcome(each.specimen, "ready", with_text=bool(text.strip()), seconds=seconds, **pages)


class _Neighbor(threading.Thread):
    """Asks whether the service is ready and sends small healthy documents, until told to finish."""

    def __init__(self, service: Service) -> None:
        super().__init__(daemon=True)
        self._service = service
        self._finished = threading.Event()
        self._sent: list[str] = []
        self._unaccepted = 0
        self._answers: list[float] = []
        self._unanswered = 0

    def run(self) -> None:
        while not self._finished.wait(_LOOK_SECONDS):
            asked = time.monotonic()
            try:
                well = httpx.get(f"{self._service.url}/readyz", timeout=30).is_success
            except httpx.TransportError:
                well = False
            self._answers.append(time.monotonic() - asked)
            self._unanswered += not well
            if len(self._answers) % _HEALTHY_EVERY == 1:
                self._send()

    def _send(self) -> None:
        number = len(self._sent) + self._unaccepted
        answer = self._service.upload(f"A healthy document, number {number}.".encode(), "healthy.txt")
        if answer.is_success:
            self._sent.append(answer.json()["id"])
        else:
            self._unaccepted += 1

    def finish(self, attached: Counter[str]) -> Neighbors:
        self._finished.set()
        self.join()
        patience = longest_wait(self._service)
        states = {each: self._service.settled(each, seconds=patience)["status"] for each in self._sent}
        not_ready = [f"{document_id}: {state}" for document_id, state in states.items() if state != "ready"]
        not_ready += ["not accepted"] * self._unaccepted
        slowest = max(self._answers, default=0.0)
        sent = len(self._sent) + self._unaccepted
        return Neighbors(sent, not_ready, len(self._answers), self._unanswered, slowest, attached)
