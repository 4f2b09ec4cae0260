"""One store of each kind; the object store speaks to a real S3 server on loopback."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from docsieve.blobs.port import BlobStore
from docsieve.blobs.registry import open_store
from tests.service import start_bound

SERVE_S3 = """
import logging, sys
from moto.server import ThreadedMotoServer
logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
server.stop()
"""


@pytest.fixture(scope="session")
def s3_endpoint() -> Iterator[str]:
    """A separate process, so that the memory it keeps the blobs in is not counted as ours."""
    server = start_bound(
        [sys.executable, "-c", SERVE_S3],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    yield f"http://127.0.0.1:{int(server.stdout.readline())}"
    server.communicate()


@pytest.fixture
def bucket(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> str:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_endpoint)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    name = f"docsieve-{uuid4()}"
    httpx.put(f"{s3_endpoint}/{name}", verify=False).raise_for_status()
    return name


@pytest.fixture(params=["file", pytest.param("s3", marks=pytest.mark.process)])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[BlobStore]:
    if request.param == "file":
        url = (tmp_path / "blobs").as_uri()
    else:
        url = f"s3://{request.getfixturevalue('bucket')}/some/folder"
    opened = open_store(url)
    yield opened
    await opened.close()
