"""What counts as an outage of Redis; and Redis behind TLS: whose certificate is accepted."""

import asyncio
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop
from pydantic import SecretStr

from docsieve.cli.doctor.dispatch_checks import examine
from docsieve.errors import RedisUnavailable
from docsieve.queue.redis.connection import open_connections, translate_outages
from docsieve.settings import Settings
from tests.db.connection.certificates import Authority
from tests.service import poll_until, reserve_port, start_bound

pytestmark = pytest.mark.process


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "authority")


@pytest.fixture
def port(authority: Authority, tmp_path: Path) -> Iterator[int]:
    """Of a Redis that has a certificate for `localhost` and speaks nothing but TLS."""
    certificate = authority.issue("localhost")
    reservation = reserve_port()
    port: int = reservation.getsockname()[1]
    options = {
        "port": 0,
        "tls-port": port,
        "bind": "127.0.0.1",
        "save": "",
        "dir": tmp_path,
        "tls-cert-file": certificate.path,
        "tls-key-file": certificate.key_path,
        "tls-ca-cert-file": authority.path,
        "tls-auth-clients": "no",
    }
    command = ["redis-server", *(part for name, value in options.items() for part in (f"--{name}", str(value)))]
    with (tmp_path / "log").open("wb") as log:
        process = start_bound(command, stdout=log, stderr=log)
    poll_until(lambda: _listens(port), what="Redis listens")
    yield port
    process.kill()
    process.wait()
    reservation.close()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def said(url: str) -> tuple[str, str]:
    [finding] = examine(Settings(redis_url=SecretStr(url)))
    return finding.level, finding.reason


def test_a_certificate_of_the_named_authority_for_the_named_host_is_accepted(port: int, authority: Authority) -> None:
    level, reason = said(f"rediss://localhost:{port}/0?ssl_ca_certs={authority.path}")
    assert (level, reason) == ("ok", "responds; 0 messages wait for workers")


def test_a_certificate_for_another_host_is_refused_and_said_so(port: int, authority: Authority) -> None:
    level, reason = said(f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={authority.path}")
    assert level == "warning"
    assert "its certificate is not accepted" in reason and "127.0.0.1" in reason


def test_a_certificate_of_an_unknown_authority_is_refused_and_said_so(port: int, tmp_path: Path) -> None:
    level, reason = said(f"rediss://localhost:{port}/0?ssl_ca_certs={Authority(tmp_path, 'stranger').path}")
    assert (level, "its certificate is not accepted" in reason) == ("warning", True)


async def _write_after_a_reset() -> None:
    """To a server that accepts a connection and then resets it, as one does that is killed with unread commands."""
    accepted: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in ("name of the client's library", "its version"):
            await reader.readuntil(b"SETINFO")
        writer.write(b"+OK\r\n" * 2)
        accepted.put_nowait(writer)

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        redis = open_connections(Settings(redis_url=SecretStr(f"redis://127.0.0.1:{port}/0")))
        connection = await redis.connection_pool.get_connection()
        transport = (await accepted.get()).transport
        linger = struct.pack("ii", 1, 0)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        transport.abort()
        while not connection._writer.is_closing():
            await asyncio.sleep(0)
        try:
            with translate_outages():
                await connection.send_command("PING")
        finally:
            await redis.aclose()


def test_a_write_to_a_connection_that_was_reset_is_an_outage_also_with_uvloop() -> None:
    with pytest.raises(RedisUnavailable):
        uvloop.run(_write_after_a_reset())
