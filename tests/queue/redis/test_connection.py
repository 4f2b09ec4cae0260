"""Redis behind TLS: whose certificate is believed, and what an operator reads if it is not."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from docsieve.cli.doctor.dispatch_checks import examine
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
