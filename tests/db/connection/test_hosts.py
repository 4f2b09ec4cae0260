"""Several hosts in one URL: which of them is connected to, and what a server that accepts no writes means."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from docsieve.db.connection.hosts import single_host_urls
from docsieve.db.connection.outage import connect
from docsieve.errors import DatabaseUnavailable
from tests.api.running import running, upload, uploaded


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://u:p@a/d", ["postgresql://u:p@a/d"]),
        ("postgresql://u:p@a:1,b:2/d?sslmode=require", ["postgresql://u:p@a:1/d?sslmode=require", "postgresql://u:p@b:2/d?sslmode=require"]),
        ("postgresql://a,[::1]:5/d", ["postgresql://a/d", "postgresql://[::1]:5/d"]),
        ("postgresql://u@/d?host=/x,/y&port=1,2", ["postgresql://u@/d?host=/x&port=1", "postgresql://u@/d?host=/y&port=2"]),
        ("postgresql://u@/d?host=/x,b&port=1", ["postgresql://u@/d?host=/x&port=1", "postgresql://u@/d?host=b&port=1"]),
        ("postgresql://u@/d?host=/x&port=1", ["postgresql://u@/d?host=/x&port=1"]),
    ],
)  # fmt: skip
def test_each_host_gets_a_url_with_all_the_rest(url: str, expected: list[str]) -> None:
    assert single_host_urls(url) == expected


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A host that takes connections and says nothing, as one that is cut off does."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def _with_other_host(database_url: str, first: str, port: int) -> str:
    options = parse_qs(urlsplit(database_url).query)
    [host], [own_port] = options["host"], options["port"]
    return f"postgresql://postgres@{urlsplit(database_url).path}?host={first},{host}&port={port},{own_port}"


async def test_a_host_that_does_not_respond_does_not_use_up_the_time_of_the_next(
    direct_url: str, silent: socket.socket
) -> None:
    url = _with_other_host(direct_url, "127.0.0.1", silent.getsockname()[1])
    for _ in range(2):
        connection = await connect(url, seconds=1.0, command_seconds=10)
        assert await connection.fetchval("select 1") == 1
        await connection.close()
    silent.accept()
    with pytest.raises(BlockingIOError):
        silent.accept()  # the second connection went to the host that had responded


async def test_without_a_host_that_accepts_writes_the_database_is_unavailable(
    direct_url: str, administer: Callable[[str], None]
) -> None:
    name = urlsplit(direct_url).path.lstrip("/")
    administer(f"alter database {name} set default_transaction_read_only = on")
    [host] = parse_qs(urlsplit(direct_url).query)["host"]
    with pytest.raises(DatabaseUnavailable) as failed:
        await connect(_with_other_host(direct_url, host, 5432), seconds=10, command_seconds=10)
    assert failed.value.reason == "TargetServerAttributeNotMatched"


async def test_a_write_to_a_server_that_was_demoted_is_an_outage_and_no_error_of_ours(
    database_url: str, direct_url: str, administer: Callable[[str], None], tmp_path: Path
) -> None:
    name = urlsplit(direct_url).path.lstrip("/")
    async with running(database_url, tmp_path) as api:
        client = await api.admin(await api.tenant("acme"))
        await uploaded(client, b"before")
        administer(f"alter database {name} set default_transaction_read_only = on")
        administer(f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'")
        for _ in range(2):
            refused = await upload(client, b"during")
            assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
            assert refused.headers["retry-after"]
        administer(f"alter database {name} reset default_transaction_read_only")
        administer(f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'")
        await uploaded(client, b"after")
