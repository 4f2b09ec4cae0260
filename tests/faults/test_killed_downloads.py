"""kill -9 while a document is downloaded: it is downloaded again, once, and is what the last attempt got."""

import signal
from collections.abc import Callable

from docsieve.faults import STEPS as ALL_STEPS
from tests.faults.checker import check
from tests.file_server import FileServer, serving_files
from tests.service import Service
from tests.signals import named

STEPS = [step for step in ALL_STEPS if step.startswith("download.")]
LANES = ("default=1", "download=1")
LENGTH = 200_000


def service_for(files: FileServer, start_service: Callable[..., Service]) -> Service:
    service = start_service(
        DOCSIEVE_LEASE_SECONDS="2",
        DOCSIEVE_SHUTDOWN_SECONDS="5",
        DOCSIEVE_OUTBOUND_ALLOW="127.0.0.0/8",
        DOCSIEVE_SOURCES_ALLOW=files.url,
    )
    service.api()
    return service


def named_source(service: Service, source: str) -> str:
    form = {"source": (None, source), "schema": (None, "none")}
    document_id: str = service.client.post("/documents", files=form).raise_for_status().json()["id"]
    return document_id


def test_a_worker_killed_in_a_download_or_at_any_step_after_it_is_replaced(
    start_service: Callable[..., Service],
) -> None:
    with serving_files() as files:
        service = service_for(files, start_service)
        accepted = []
        for step in ("in the middle", *STEPS):
            document_id = named_source(service, files.serve("/a.txt", f"before {step}\n".encode() * 9))
            accepted.append(document_id)
            if step == "in the middle":
                files.open.clear()
                doomed = service.worker(*LANES)
                assert files.waiting.wait(60)
                doomed.kill()
                files.open.set()
            else:
                doomed = service.worker(*LANES, DOCSIEVE_FAULT=step)
            assert doomed.wait(30) == -9, step
            files.serve("/a.txt", f"after {step}\n".encode() * 9)
            survivor = service.worker(*LANES)
            assert (service.settled(document_id)["status"], step) == ("ready", step)
            survivor.terminate()
            assert survivor.wait(30) == 0
            stored = service.client.get(f"/documents/{document_id}/file").raise_for_status().content
            # what was recorded is not downloaded again, although the source has changed since
            assert stored.startswith(b"after" if step in ("in the middle", "download.staged") else b"before"), step
        check(service, accepted)


def test_a_worker_frozen_in_a_download_changes_nothing_when_it_wakes(start_service: Callable[..., Service]) -> None:
    with serving_files() as files:
        service = service_for(files, start_service)
        files.open.clear()
        document_id = named_source(service, files.serve("/a.txt", b"before\n" * LENGTH))
        frozen = service.worker(*LANES)
        assert files.waiting.wait(60)
        frozen.send_signal(signal.SIGSTOP)
        files.serve("/a.txt", b"after\n" * 9)
        files.open.set()  # the rest of the old file is on its way to the worker that sleeps
        service.worker(*LANES)
        assert service.settled(document_id)["status"] == "ready"
        before = service.client.get(f"/documents/{document_id}").json()

        frozen.send_signal(signal.SIGCONT)

        service.signals.until(named("lease.lost", pid=frozen.pid))
        assert service.client.get(f"/documents/{document_id}").json() == before
        assert service.client.get(f"/documents/{document_id}/file").content == b"after\n" * 9
        check(service, [document_id])
