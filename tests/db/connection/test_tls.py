"""A database server behind TLS with the operator's own authority: who is believed, and the error if no one is.

The embedded PostgreSQL has no TLS, so PgBouncer in session mode is its end of it, as at many operators.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import asyncpg
import pytest

from docsieve.cli.server.database import connect as connect_for_command
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.outage import connect
from docsieve.errors.setup import DatabaseTlsFailed, DatabaseUnreachable
from tests.cli.terminal import CommandLine
from tests.db.connection.certificates import Authority, Certificate
from tests.pgbouncer import PgBouncer
from tests.service import Service, poll_until

pytestmark = pytest.mark.process

HOST = "localhost"


class TlsServer:
    """Reached as `localhost`, whatever its certificate says. Clients need a certificate of the same authority."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.authority = Authority(folder, "authority")
        self.client = self.authority.issue("client")
        self._database = urlsplit(database_url).path
        self.bouncer = PgBouncer(folder, database_url)

    def url(self, **options: str | Path | None) -> str:
        known = {"sslrootcert": self.authority.path, "sslcert": self.client.path, "sslkey": self.client.key_path}
        given = {name: value for name, value in {"sslmode": "verify-full", **known, **options}.items() if value}
        return f"postgresql://anyone@{HOST}:{self.bouncer.port}{self._database}?{urlencode(given, safe='/')}"

    def present(self, certificate: Certificate | None) -> None:
        """Start again with this certificate, or without TLS. All connections end."""
        if certificate is None:
            return self.bouncer.start(pool_mode="session", default_pool_size=50)
        for source in (certificate.path, certificate.key_path, self.authority.path):
            shutil.copyfile(source, self.bouncer.home / source.name)
        self.bouncer.start(
            pool_mode="session",
            default_pool_size=50,
            client_tls_sslmode="verify-full",
            client_tls_ca_file=self.bouncer.home / self.authority.path.name,
            client_tls_cert_file=self.bouncer.home / certificate.path.name,
            client_tls_key_file=self.bouncer.home / certificate.key_path.name,
        )
        return None


@pytest.fixture
def tls_server(open_folder: Path, postgres: str, administer: Callable[[str], None]) -> Iterator[TlsServer]:
    """Before a database without tables, with a certificate for the name by which it is reached."""
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    name = folder.name.lower()
    administer(f"create database {name}")
    server = TlsServer(folder, postgres.replace("/docsieve?", f"/{name}?"))
    server.present(server.authority.issue(HOST))
    yield server
    server.bouncer.close()
    administer(f"drop database {name} with (force)")


def test_every_connection_of_the_service_is_verified_at_both_ends(
    start_service: Callable[..., Service], tls_server: TlsServer
) -> None:
    """It refuses all others: those of the pool, the listener, heartbeats, migrations and commands."""
    url = tls_server.url()
    service = start_service(DOCSIEVE_DATABASE_URL=url, DOCSIEVE_DATABASE_DIRECT_URL=url)
    service.api()
    service.worker()
    document = service.upload(b"Invoice 1").raise_for_status().json()
    assert service.settled(document["id"])["status"] == "ready"
    assert "listener_lost" not in service.logs()
    ran = CommandLine(service.environment)("doctor", "--json", DOCSIEVE_OCR_ENGINE="abbyy")
    levels = {finding["check"]: finding["level"] for finding in ran.json()}
    assert (levels["database"], levels["migrations"]) == ("ok", "ok")
    assert asyncio.run(_listening(url)) == 1


async def _listening(url: str) -> int:
    connection = await asyncpg.connect(url, statement_cache_size=0)
    try:
        count: int = await connection.fetchval(
            "select count(*) from pg_stat_activity where datname = current_database() and query ilike 'listen%'"
        )
        return count
    finally:
        await connection.close()


async def _refusals(url: str) -> tuple[DatabaseUnreachable, DatabaseTlsFailed]:
    """What a command says, and what a request is answered."""
    with pytest.raises(DatabaseUnreachable) as command:
        await connect_for_command(url)
    with pytest.raises(DatabaseTlsFailed) as request:
        await connect(url, seconds=10, command_seconds=10)
    with pytest.raises(DatabaseTlsFailed):
        await migrate(url)
    return command.value, request.value


def _assert_refused(url: str, *, because: str) -> None:
    command, request = asyncio.run(_refusals(url))
    assert (command.code, request.code, request.status) == ("database_tls_failed", "database_tls_failed", 503)
    for said in (command.detail, request.detail):
        assert because in said, said
        assert "\n" not in said
    assert "sslrootcert" in command.remedy


def test_a_certificate_for_another_host_is_refused(tls_server: TlsServer) -> None:
    tls_server.present(tls_server.authority.issue("db.example"))
    _assert_refused(tls_server.url(), because="certificate is not valid for 'localhost'")


def test_a_certificate_of_an_unknown_authority_is_refused(tls_server: TlsServer, tmp_path: Path) -> None:
    stranger = Authority(tmp_path, "stranger")
    _assert_refused(tls_server.url(sslrootcert=stranger.path), because="certificate")


def test_a_server_without_tls_is_refused_if_tls_is_required(tls_server: TlsServer) -> None:
    tls_server.present(None)
    _assert_refused(tls_server.url(sslmode="require"), because="does not offer TLS")


@pytest.mark.parametrize("option", ["sslrootcert", "sslcert"])
async def test_a_file_that_does_not_exist_is_named(tls_server: TlsServer, tmp_path: Path, option: str) -> None:
    missing = tmp_path / "missing.pem"
    url = tls_server.url(**{option: missing})
    with pytest.raises(DatabaseUnreachable, match=f"the file {missing} does not exist") as refused:
        await connect_for_command(url)
    assert refused.value.code == "database_tls_failed"


async def test_without_a_certificate_to_verify_with_the_server_is_not_trusted(
    tls_server: TlsServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(DatabaseUnreachable, match="no certificate to verify the server with") as refused:
        await connect_for_command(tls_server.url(sslrootcert=None))
    assert refused.value.code == "database_tls_failed"


def test_a_client_without_a_certificate_is_refused(tls_server: TlsServer) -> None:
    with pytest.raises(DatabaseUnreachable):
        asyncio.run(connect_for_command(tls_server.url(sslcert=None, sslkey=None)))


def test_readiness_names_a_certificate_that_is_not_accepted_any_more(
    start_service: Callable[..., Service], tls_server: TlsServer
) -> None:
    service = start_service(DOCSIEVE_DATABASE_URL=tls_server.url())
    service.api()
    tls_server.present(tls_server.authority.issue("db.example"))

    def unready() -> dict[str, str] | None:
        answer = service.client.get(f"{service.url}/readyz")
        problem: dict[str, str] = answer.json() if answer.status_code == 503 else {}
        return problem if problem.get("code") != "unavailable" else None

    problem = poll_until(unready, what="/readyz names the reason")
    assert problem["code"] == "database_tls_failed"
    assert "certificate is not valid for 'localhost'" in problem["detail"]
    tls_server.present(tls_server.authority.issue(HOST))
    service.wait_ready()
