"""A running Docsieve for tests: real processes, spoken to over HTTP."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import httpx

from docsieve import faults
from docsieve.domain.documents import FINAL
from docsieve.sandbox.kernel.isolation import die_with_parent
from tests.forks import Forked, fork_server
from tests.signals import PipeSignals, either, ended, named

T = TypeVar("T")

_starter = ThreadPoolExecutor(1)

_ocr_choices: dict[str, bytes] = {}
"""What services of this process found out about OCR backends, by file name: to try them all takes seconds of CPU."""

ADMIN_KEY = "ds_testadmin_0123456789abcdef0123456789abcdef"


def is_setting(name: str) -> bool:
    """Faults are not: those armed for a test run are armed in the processes that it starts."""
    return name.startswith("DOCSIEVE_") and name != faults.VARIABLE


def poll_until(condition: Callable[[], T | None], *, seconds: float = 90.0, what: str = "") -> T:
    """Check repeatedly until the condition holds, and return its value.

    Only for what sends no signal: files of PostgreSQL, a page in a browser, a server that recovers. Wait for
    everything of ours by `Service.wait_until` or the signals themselves, and for ends of processes by `wait_for_end`.
    """
    deadline = time.monotonic() + seconds
    next_pause = 0.01
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what or condition}")
        time.sleep(next_pause)
        next_pause = min(next_pause * 1.2, 0.1)
    return value


def reserve_port() -> socket.socket:
    """Bound but not listening: no other process gets the port, and a server that reuses addresses may listen on it."""
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
            "DOCSIEVE_API_PROCESSES": "1",  # whatever the number of cores
            "DOCSIEVE_PARSER_PROCESSES": "1",  # each loads every parser, for a second of processor time
            **settings,
        }
        self._lend_ocr_choices()
        self.processes: list[Forked] = []
        self.log: Path | None = None
        self.signals = PipeSignals(folder / f"signals-{self.port}")
        # To verify nothing spares each client the reading of all certificates of the system.
        alone = httpx.Limits(max_keepalive_connections=0)
        self._anybody = httpx.Client(base_url=self.url, timeout=5, verify=False, limits=alone)
        self.client = httpx.Client(
            base_url=f"{self.url}/api/v1", headers={"X-API-Key": ADMIN_KEY}, timeout=60, verify=False
        )

    def _lend_ocr_choices(self) -> None:
        for name, content in _ocr_choices.items():
            self.data_dir.mkdir(exist_ok=True)
            (self.data_dir / name).write_bytes(content)

    def _keep_ocr_choices(self) -> None:
        """Only if everything works: a test may have broken a backend on purpose."""
        for path in self.data_dir.glob("ocr-*.json"):
            content = path.read_bytes()
            if all(each["problem"] is None for each in json.loads(content)["probed"]):
                _ocr_choices[path.name] = content

    def run(self, *arguments: str, **environment: str) -> Forked:
        """Start `docsieve …` and leave it running; its log goes to a file in the folder, or to `log`."""
        settings = {**self.environment, faults.PIPE_VARIABLE: str(self.signals.path), **environment}
        with (self.log or self.folder / f"{arguments[0]}-{len(self.processes)}.log").open("wb") as file:
            process = fork_server().fork([*arguments], settings, file)
        self.signals.watch(process.pid)
        self.processes.append(process)
        return process

    def api(self, **environment: str) -> Forked:
        return self._started(self.run("api", **environment), "api.ready")

    def worker(self, *lanes: str, **environment: str) -> Forked:
        process = self.run("worker", *(f"--queue={lane}" for lane in lanes), **environment)
        return self._started(process, "worker.started", may_end=True)

    def pool(self, name: str, **environment: str) -> Forked:
        process = self.run("worker", f"--pool={name}", **environment)
        return self._started(process, "worker.started", may_end=True)

    def _started(self, process: Forked, signal: faults.Signal, *, may_end: bool = False) -> Forked:
        """The process, once it has reported that it started. One armed with a fault may have ended since."""
        started = named(signal, pid=process.pid)
        self.signals.until(either(started, ended(process.pid)), seconds=120)
        if not may_end and not self.signals.has(started):
            raise AssertionError(f"the process ended with {process.wait()}:\n{self.logs()[-3000:]}")
        return process

    def wait_until(self, condition: Callable[[], T | None], *, seconds: float = 90.0, what: str = "") -> T:
        """The condition's value once it holds; looked at again at each signal of the service's processes."""
        return self.signals.until_true(condition, seconds=seconds, what=what)

    def wait_ready(self, process: "Forked | subprocess.Popen[bytes] | None" = None) -> None:
        """Poll `/readyz` of a service whose database comes back, for which the API sends no signal."""

        def ready() -> bool:
            if process is not None and process.poll() is not None:
                raise AssertionError(f"the process ended with {process.returncode}:\n{self.logs()[-3000:]}")
            try:
                return self._anybody.get("/readyz").status_code == 200
            except httpx.TransportError:
                return False

        poll_until(ready, seconds=120, what="/readyz")

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
            return found if found["status"] in FINAL else None

        return self.wait_until(state, seconds=seconds, what=f"document {document_id} settled")

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
        self._keep_ocr_choices()
        self.signals.close()
        self._reservation.close()
