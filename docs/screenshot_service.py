"""The service that screenshots are taken of, and what its API is asked for."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

TIMEOUT_MS = 60_000


@dataclass(frozen=True)
class Tenant:
    """A tenant of the service, acting with one API key."""

    url: str
    key: str

    def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        return httpx.request(
            method, f"{self.url}/api/v1{path}", headers={"X-API-Key": self.key}, timeout=TIMEOUT_MS / 1000, **request
        )

    def call(self, method: str, path: str, **request: Any) -> Any:
        return self.send(method, path, **request).raise_for_status().json()

    def create_tenant(self, name: str) -> "Tenant":
        """Create a tenant of that name, or of a similar one if the service already has it."""
        if self.send("POST", "/tenants", json={"name": name}).status_code == httpx.codes.CONFLICT:
            name = f"{name}-{uuid.uuid4().hex[:4]}"
            self.call("POST", "/tenants", json={"name": name})
        created = self.call("POST", f"/tenants/{name}/keys", json={"name": "Ada", "scopes": ["read", "write", "admin"]})
        return Tenant(self.url, created["key"])

    def upload(self, filename: str, content: bytes, **fields: str) -> str:
        return str(self.call("POST", "/documents", files={"file": (filename, content)}, data=fields)["id"])

    def settle(self, document_id: str) -> None:
        def settled() -> bool:
            found = self.call("GET", f"/documents/{document_id}/status")
            extraction = found["extraction"]
            reading = found["status"] in ("pending", "processing")
            return not reading and (not extraction or extraction["status"] not in ("pending", "processing"))

        wait_until(settled, seconds=180)


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz").status_code == 200
    except httpx.TransportError:
        return False


def wait_until(fact: Callable[[], bool], *, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not fact():
        if time.monotonic() > end:
            raise TimeoutError(f"condition not met after {seconds:.0f} seconds")
        time.sleep(0.2)


@contextmanager
def running_service() -> Iterator[Tenant]:
    """The service that the environment names, or a temporary `docsieve up`."""
    if (url := os.environ.get("DOCSIEVE_URL")) is not None:
        yield Tenant(url, os.environ["DOCSIEVE_API_KEY"])
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="docsieve-screenshots-"))
    folder.chmod(0o755)  # the parser runs as another user
    tenant = Tenant(f"http://127.0.0.1:{port}", f"ds_screenshots_{uuid.uuid4().hex}")
    settings = {"DOCSIEVE_DATA_DIR": str(folder / "data"), "DOCSIEVE_PORT": str(port), "DOCSIEVE_API_KEY": tenant.key}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "docsieve", "up"], env={**os.environ, **settings}, stdout=log, stderr=log
        )
    try:
        wait_until(lambda: process.poll() is not None or answers(tenant.url), seconds=120)
        if process.poll() is not None:
            raise RuntimeError((folder / "log").read_text()[-2000:])
        yield tenant
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)
