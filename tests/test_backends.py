"""One service on a pooler, Redis and a bucket together: the part of `make test-matrix` that every run includes."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.backends import stored_keys
from tests.emulators.stores import emulator
from tests.faults.checker import check
from tests.pgbouncer import pgbouncer
from tests.redis_server import RedisServer
from tests.service import Service

pytestmark = pytest.mark.process


def test_a_document_is_read_with_a_pooler_redis_and_a_bucket_at_once(
    start_service: Callable[..., Service],
    postgres: str,
    redis: RedisServer,
    open_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    with emulator("gs", tmp_path) as store, pgbouncer(folder, postgres) as pooler_url:
        store.use(monkeypatch)
        monkeypatch.setenv("TEST_POOLER_URL", pooler_url)
        monkeypatch.setenv("TEST_REDIS_URL", redis.url.rpartition("/")[0])
        monkeypatch.setenv("TEST_BLOB_URL", f"gs://{store.create_bucket()}")
        monkeypatch.setattr("tests.backends.REDIS_DATABASES", 16)
        service = start_service()
        service.api()
        service.worker()
        documents = [service.upload(f"Invoice {number}".encode()).raise_for_status().json() for number in range(3)]
        assert [service.settled(each["id"])["status"] for each in documents] == ["ready"] * 3
        check(service, [each["id"] for each in documents])
        originals = {key.rpartition("/")[2] for key in stored_keys(service.environment) if key.startswith("documents/")}
        assert originals == {each["id"] for each in documents}
        assert "docsieve_redis_up 1.0" in service.client.get(f"{service.url}/metrics").text
        service.stop()
