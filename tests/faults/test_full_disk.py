"""`docsieve up` on a disk that fills up: a small file system of its own, really full."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from docsieve.db.server.processes import processes_of
from tests.cli.server.test_up import paused, pids, read_through, start, worker_pids
from tests.faults.checker import check
from tests.service import ADMIN_KEY, Service, wait_until

DISK_MB = 420
MIN_FREE_MB = 64
BLOCK = 64 * 1024


def mount(folder: Path, *options: str) -> None:
    ran = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", ",".join(options), "docsieve-test", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        pytest.skip(f"mounting a small file system is not permitted here: {ran.stderr.strip()}")


@pytest.fixture
def disk(open_folder: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    mount(folder, f"size={DISK_MB}m", "mode=755")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture
def service(open_folder: Path, disk: Path) -> Iterator[Service]:
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    settings = {
        "DOCSIEVE_DATA_DIR": str(disk / "data"),
        "DOCSIEVE_MIN_FREE_MB": str(MIN_FREE_MB),
        "DOCSIEVE_WORKER_PROCESSES": "1",
        "DOCSIEVE_LEASE_SECONDS": "2",
    }
    service = Service(folder, settings)
    yield service
    service.stop()


def fill(disk: Path, name: str, *, mode: str = "wb") -> Path:
    """Take every block that is left."""
    path = disk / name
    with path.open(mode, buffering=0) as file:
        for size in (BLOCK, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
    return path


@contextmanager
def kept_full(disk: Path) -> Iterator[None]:
    """Take every block that is left, and every one that is given back meanwhile."""
    ended = threading.Event()

    def take() -> None:
        while not ended.wait(0.002):
            fill(disk, "filler", mode="ab")

    filling = threading.Thread(target=take)
    filling.start()
    try:
        yield
    finally:
        ended.set()
        filling.join()
        (disk / "filler").unlink()


def asked(service: Service, path: str) -> tuple[int, str]:
    answer = httpx.get(f"{service.url}{path}", headers={"X-API-Key": ADMIN_KEY}, timeout=30)
    return answer.status_code, answer.json().get("code", "") if answer.status_code >= 400 else ""


def test_a_full_disk_refuses_uploads_lets_documents_be_deleted_and_loses_nothing(service: Service, disk: Path) -> None:
    supervisor = start(service)
    reserve = disk / "data" / "postgres-reserve"
    wait_until(reserve.exists, what="the reserve is taken")
    kept, deleted = read_through(service, b"kept"), read_through(service, b"deleted")
    [api] = pids(supervisor.pid, "docsieve", "api")
    [worker] = worker_pids(supervisor.pid)
    with paused(worker):
        waiting = service.upload(b"accepted before the disk was full").raise_for_status().json()["id"]
        filler = fill(disk, "filler")

    wait_until(lambda: asked(service, "/readyz") == (503, "disk_full"), what="/readyz says that the disk is full")
    assert "disk of the" in httpx.get(f"{service.url}/readyz").json()["detail"]
    refused = service.upload(b"too much")
    assert (refused.status_code, refused.json()["code"]) == (503, "disk_full")
    assert refused.headers["retry-after"]
    _call_everything(service)
    wait_until(lambda: not reserve.exists(), what="the reserve is released")
    wait_until(lambda: service.client.delete(f"/documents/{deleted}").status_code in (204, 404), what="deleted")
    assert service.client.get(f"/documents/{deleted}").status_code == 404
    assert asked(service, f"/api/v1/documents/{kept}") == (200, "")
    assert pids(supervisor.pid, "docsieve", "api") == [api], "the API is still the same process"

    filler.unlink()
    service.wait_ready(supervisor)
    after = read_through(service, b"after")
    assert service.settled(waiting)["status"] == "ready", "an accepted document outlasts a full disk"
    wait_until(reserve.exists, what="the reserve is taken again")
    service.environment["DOCSIEVE_DATABASE_URL"] = _url(disk)
    assert deleted not in check(service, [kept, waiting, after])


def test_a_database_that_cannot_restart_on_a_full_disk_is_tried_again_until_it_can(
    service: Service, disk: Path
) -> None:
    supervisor = start(service)
    reserve = disk / "data" / "postgres-reserve"
    wait_until(reserve.exists, what="the reserve is taken")
    kept = read_through(service, b"kept")
    [api] = pids(supervisor.pid, "docsieve", "api")
    postgres = processes_of(disk / "data" / "postgres")

    with kept_full(disk):
        wait_until(lambda: not reserve.exists(), what="the reserve is released")
        for pid in postgres:
            with suppress(ProcessLookupError):  # some end by themselves when the first is killed
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: service.logs().count("database_not_started") >= 2, what="two vain attempts to start it")
        assert asked(service, "/readyz") == (503, "disk_full")
        assert asked(service, f"/api/v1/documents/{kept}") == (503, "unavailable")
        assert supervisor.poll() is None and pids(supervisor.pid, "docsieve", "api") == [api]

    service.wait_ready(supervisor)
    assert service.status(kept)["status"] == "ready"
    read_through(service, b"after")


def _call_everything(service: Service) -> None:
    """Without a key, so that nothing happens; but each operation makes metrics of its own, which need memory."""
    described = httpx.get(f"{service.url}/api/v1/openapi.json").json()["paths"]
    with httpx.Client(base_url=service.url) as nobody:
        for path, operations in described.items():
            for method in operations:
                nobody.request(method, path.replace("{", "").replace("}", ""))


def _url(disk: Path) -> str:
    from docsieve.db.server.embedded import running_url

    url = running_url(disk / "data")
    assert url is not None
    return url


def test_a_blob_store_that_became_read_only_is_named_and_not_the_database(
    disk: Path, open_folder: Path, database_url: str
) -> None:
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    settings = {"DOCSIEVE_DATABASE_URL": database_url, "DOCSIEVE_BLOB_URL": (disk / "blobs").as_uri()}
    service = Service(folder, settings)
    try:
        service.api()
        service.upload(b"before").raise_for_status()
        mount(disk, "remount", "ro")

        answer = service.upload(b"while it is read-only")

        assert (answer.status_code, answer.json()["code"]) == (503, "blob_store_error"), answer.text
        assert "Read-only file system" in answer.json()["detail"]
        assert "database" not in answer.text
        mount(disk, "remount", "rw")
        service.upload(b"after").raise_for_status()
    finally:
        service.stop()


def test_a_log_on_a_full_disk_loses_lines_and_nothing_else(open_folder: Path, database_url: str) -> None:
    service = Service(Path(tempfile.mkdtemp(dir=open_folder)), {"DOCSIEVE_DATABASE_URL": database_url})
    try:
        with Path("/dev/full").open("wb") as full:
            for part in ("api", "worker"):
                command = [sys.executable, "-m", "docsieve", part]
                service.processes.append(subprocess.Popen(command, env=service.environment, stderr=full))
        service.wait_ready(service.processes[0])

        read_through(service, b"read although nothing can be logged")
    finally:
        service.stop()
