"""A running Docsieve for tests: real processes, spoken to over HTTP."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from docsieve import faults
from docsieve.sandbox.kernel.isolation import die_with_parent
from tests.signals import PipeSignals, named

_starter = ThreadPoolExecutor(1)

ADMIN_KEY = "ds_testadmin_0123456789abcdef0123456789abcdef"


def is_setting(name: str) -> bool:
    """Faults are not: what is armed for a test run is armed in the processes that it starts."""
    return name.startswith("DOCSIEVE_") and name != faults.VARIABLE


def wait_until(
    condition: Callable[[], Any], *, seconds: float = 90.0, what: str = "", pause: Callable[[float], None] = time.sleep
) -> Any:
    """Check repeatedly until the condition holds, and return its value."""
    deadline = time.monotonic() + seconds
    next_pause = 0.01
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what or condition}")
        pause(next_pause)
        next_pause = min(next_pause * 1.2, 0.1)
    return value


def reserve_port() -> socket.socket:
    """Bound but not listening: nobody else is given the port, and a server that reuses addresses may listen on it."""
    reservation = socket.socket()
    reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reservation.bind(("127.0.0.1", 0))
    return reservation


def start_bound(command: list[str], **options: Any) -> "subprocess.Popen[Any]":
    """A process that the kernel kills when this one dies, however it dies.

    The kernel looks at the thread that started it, so that has to be one which lives as long as this process.
    """

    def start() -> "subprocess.Popen[Any]":
        return subprocess.Popen(command, preexec_fn=partial(die_with_parent, os.getpid()), **options)

    return _starter.submit(start).result()


class Service:
    """`api()` and `worker()` start processes; `client` speaks to the API with the bootstrap admin key."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.folder = folder
        self.data_dir = folder / "data"
        self._reservation = reserve_port()
        self.port: int = self._reservation.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **{name: value for name, value in os.environ.items() if not is_setting(name)},
            "DOCSIEVE_DATA_DIR": str(folder / "data"),
            "DOCSIEVE_PORT": str(self.port),
            "DOCSIEVE_URL": self.url,
            "DOCSIEVE_API_KEY": ADMIN_KEY,
            "DOCSIEVE_LOG_LEVEL": "info",
            "DOCSIEVE_RETRY_BASE_SECONDS": "0.05",
            "DOCSIEVE_PARSER_PROCESSES": "1",  # each loads every parser, for a second of processor time
            **settings,
        }
        self.processes: list[subprocess.Popen[bytes]] = []
        self.signals = PipeSignals(folder / f"signals-{self.port}")
        # To verify nothing spares each client the reading of all certificates of the system.
        alone = httpx.Limits(max_keepalive_connections=0)
        self._anybody = httpx.Client(base_url=self.url, timeout=5, verify=False, limits=alone)
        self.client = httpx.Client(
            base_url=f"{self.url}/api/v1", headers={"X-API-Key": ADMIN_KEY}, timeout=60, verify=False
        )

    def run(self, *arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
        """Start `docsieve …` and leave it running; its log goes to a file in the folder."""
        log = (self.folder / f"{arguments[0]}-{len(self.processes)}.log").open("wb")
        command = [sys.executable, "-m", "docsieve", *arguments]
        settings = {**self.environment, faults.PIPE_VARIABLE: str(self.signals.path), **environment}
        process = start_bound(command, env=settings, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def api(self, **environment: str) -> "subprocess.Popen[bytes]":
        process = self.run("api", **environment)
        self.wait_ready(process)
        return process

    def worker(self, *lanes: str, **environment: str) -> "subprocess.Popen[bytes]":
        process = self.run("worker", *(f"--queue={lane}" for lane in lanes), **environment)
        started = named("worker.started", pid=process.pid)
        self.wait_until(lambda: process.poll() is not None or self.signals.has(started), what="worker started")
        return process

    def wait_until(self, condition: Callable[[], Any], *, seconds: float = 90.0, what: str = "") -> Any:
        """As the function, but look again at each signal of the service's processes."""
        return wait_until(condition, seconds=seconds, what=what, pause=self.signals.pause)

    def wait_ready(self, process: "subprocess.Popen[bytes] | None" = None) -> None:
        def ready() -> bool:
            if process is not None and process.poll() is not None:
                raise AssertionError(f"the process ended with {process.returncode}:\n{self.logs()[-3000:]}")
            try:
                return self._anybody.get("/readyz").status_code == 200
            except httpx.TransportError:
                return False

        wait_until(ready, seconds=120, what="/readyz")

    def upload(
        self, content: bytes, filename: str = "a.txt", *, key: str | None = None, **fields: str
    ) -> httpx.Response:
        headers = {"Idempotency-Key": key} if key is not None else {}
        return self.client.post("/documents", files={"file": (filename, content)}, data=fields, headers=headers)

    def status(self, document_id: str) -> dict[str, Any]:
        answer: dict[str, Any] = self.client.get(f"/documents/{document_id}/status").raise_for_status().json()
        return answer

    def settled(self, document_id: str, *, seconds: float = 120) -> dict[str, Any]:
        """Wait until the document's state is final and return it."""

        def state() -> dict[str, Any] | None:
            found = self.status(document_id)
            return found if found["status"] in ("ready", "failed", "cancelled") else None

        found: dict[str, Any] = self.wait_until(state, seconds=seconds, what=f"document {document_id} settled")
        return found

    def delete_documents(self) -> None:
        """Delete all documents of the admin's tenant and every stored file, for the next test of a shared service."""
        while documents := self.client.get("/documents", params={"limit": 100}).raise_for_status().json()["documents"]:
            for document in documents:
                assert self.client.delete(f"/documents/{document['id']}").status_code in (204, 404)
        for path in (self.folder / "data" / "blobs").rglob("*"):
            if path.is_file():
                path.unlink(missing_ok=True)

    def logs(self) -> str:
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.log")))

    def stop(self) -> None:
        self.client.close()
        self._anybody.close()
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in self.processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.signals.close()
        self._reservation.close()
