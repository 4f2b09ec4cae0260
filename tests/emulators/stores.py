"""Starts one server per kind of object store. Each is a separate process, because it keeps all objects in memory."""

import base64
import hashlib
import hmac
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO
from uuid import uuid4

import httpx
import pytest

from tests.service import start_bound

# Azurite's published account, which every installation has.
AZURE_ACCOUNT = "devstoreaccount1"
AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

_AZURITE = Path(__file__).parent / "azurite" / "node_modules" / "azurite" / "dist" / "src" / "blob" / "main.js"
_AZURITE_OPTIONS = ("--blobPort", "0", "--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry")
_SERVE_S3 = """
import logging, sys
from moto.server import ThreadedMotoServer
logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
server.stop()
"""
_PREFIXES = ("AWS_", "AZURE_", "GOOGLE_")


@dataclass(frozen=True)
class Emulator:
    """`account` is what the operator configures in addition to the address; `{endpoint}` names the server."""

    scheme: str
    port: int
    account: dict[str, str]

    def environment(self, *, port: int | None = None) -> dict[str, str]:
        """The variables that lead to the server, or to one in front of it that listens on `port`."""
        endpoint = f"http://127.0.0.1:{port or self.port}"
        return {name: value.replace("{endpoint}", endpoint) for name, value in self.account.items()}

    def use(self, patch: pytest.MonkeyPatch, *, port: int | None = None) -> None:
        for name in [name for name in os.environ if name.startswith(_PREFIXES)]:
            patch.delenv(name)
        for name, value in self.environment(port=port).items():
            patch.setenv(name, value)

    def create_bucket(self) -> str:
        name = f"docsieve-{uuid4()}"
        _CREATE[self.scheme](self.port, name)
        return name


@contextmanager
def emulator(scheme: str, folder: Path) -> Iterator[Emulator]:
    server, port = _STARTS[scheme](folder)
    account = dict(_ACCOUNTS[scheme])
    if scheme == "gs":
        account["GOOGLE_SERVICE_ACCOUNT"] = str(folder / "account.json")
    yield Emulator(scheme, port, account)
    assert server.stdin is not None
    server.stdin.close()
    if scheme == "az":
        server.kill()  # asked to end, it waits for connections that clients keep open
    server.wait()


def _start(command: list[str]) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    return start_bound(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)


def _output(server: "subprocess.Popen[str]") -> IO[str]:
    assert server.stdout is not None
    return server.stdout


def _start_s3(folder: Path) -> "tuple[subprocess.Popen[str], int]":
    server = _start([sys.executable, "-c", _SERVE_S3])
    return server, int(_output(server).readline())


def _start_gcs(folder: Path) -> "tuple[subprocess.Popen[str], int]":
    server = _start([sys.executable, "-m", "tests.emulators.gcs_server", str(folder)])
    return server, int(_output(server).readline())


def _start_azure(folder: Path) -> "tuple[subprocess.Popen[str], int]":
    server = _start(["node", str(_AZURITE), *_AZURITE_OPTIONS])
    for line in _output(server):
        if found := re.search(r"listens on http://127\.0\.0\.1:(\d+)", line):
            return server, int(found[1])
    raise AssertionError("Azurite did not start; `make .venv/.dev` installs it")


def _create_s3(port: int, name: str) -> None:
    httpx.put(f"http://127.0.0.1:{port}/{name}").raise_for_status()


def _create_gcs(port: int, name: str) -> None:
    httpx.post(f"http://127.0.0.1:{port}/.control", json={"bucket": name}).raise_for_status()


def _create_azure(port: int, name: str) -> None:
    """Azurite checks signatures, so this request has a real one."""
    date, version = datetime.now(UTC).strftime("%a, %d %b %Y %H:%M:%S GMT"), "2021-12-02"
    resource = f"/{AZURE_ACCOUNT}/{AZURE_ACCOUNT}/{name}\nrestype:container"
    text = "PUT" + "\n" * 12 + f"x-ms-date:{date}\nx-ms-version:{version}\n{resource}"
    digest = hmac.new(base64.b64decode(AZURE_KEY), text.encode(), hashlib.sha256).digest()
    headers = {
        "x-ms-date": date,
        "x-ms-version": version,
        "Authorization": f"SharedKey {AZURE_ACCOUNT}:{base64.b64encode(digest).decode()}",
    }
    url = f"http://127.0.0.1:{port}/{AZURE_ACCOUNT}/{name}?restype=container"
    httpx.put(url, headers=headers).raise_for_status()


_STARTS = {"s3": _start_s3, "az": _start_azure, "gs": _start_gcs}
_CREATE = {"s3": _create_s3, "az": _create_azure, "gs": _create_gcs}
_ACCOUNTS = {
    "s3": {
        "AWS_ENDPOINT_URL": "{endpoint}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "us-east-1",
        "AWS_ALLOW_HTTP": "true",
    },
    "az": {
        "AZURE_STORAGE_ACCOUNT_NAME": AZURE_ACCOUNT,
        "AZURE_STORAGE_ACCOUNT_KEY": AZURE_KEY,
        "AZURE_STORAGE_ENDPOINT": f"{{endpoint}}/{AZURE_ACCOUNT}",
        "AZURE_ALLOW_HTTP": "true",
    },
    "gs": {"GOOGLE_BASE_URL": "{endpoint}", "GOOGLE_ALLOW_HTTP": "true"},
}
