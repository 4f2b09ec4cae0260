"""`docsieve up`: runs the embedded database, the API and the workers in one terminal.

The supervisor owns the database. The others are separate processes, so that they can crash independently. The kernel
terminates them if the supervisor itself is killed.
"""

import asyncio
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field

import uvloop
from rich.console import Console
from rich.panel import Panel

from docsieve import faults, logs, wiring
from docsieve.cli.console.configuration import load_settings, server_url
from docsieve.cli.server.database import knock
from docsieve.cli.server.link import LINK_MINUTES, new_link
from docsieve.cli.server.serve import has_reader, show_key
from docsieve.db.connection.session import Database
from docsieve.db.server.embedded import EmbeddedServer
from docsieve.db.server.reserve import Reserve
from docsieve.errors.setup import DirectoryInUse, PortTaken, ServerFailed
from docsieve.settings import Settings

log = logs.get_logger()

_LONGEST_PAUSE = 30.0
_STEADY_SECONDS = 30.0
_PR_SET_PDEATHSIG = 1
_STOPPED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_libc = ctypes.CDLL(None)


@dataclass(slots=True)
class Part:
    """A child process that is restarted with increasing pauses when it dies."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    failures: int = 0
    started: float = 0.0
    due: float = 0.0
    environment: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "docsieve", *self.command],
            env={**os.environ, **self.environment},
            # Ctrl-C in the terminal reaches only the supervisor, which then stops the parts in order
            start_new_session=True,
            preexec_fn=lambda: _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM),
        )
        self.started = time.monotonic()

    def look_after(self) -> None:
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            steady = now - self.started > _STEADY_SECONDS
            self.failures = 1 if steady else self.failures + 1
            pause = _pause(self.failures)
            log.error("part_died", part=self.name, exit_code=self.process.returncode, restart_in=pause)
            self.process, self.due = None, now + pause
        if self.process is None and now >= self.due:
            self.start()

    def stop(self, seconds: float) -> None:
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            log.error("part_killed", part=self.name)
            self.process.kill()
            self.process.wait()


@dataclass(slots=True)
class OwnDatabase:
    """The embedded server with its disk reserve, restarted with increasing pauses until it runs."""

    server: EmbeddedServer
    reserve: Reserve
    failures: int = 0
    due: float = 0.0

    def start(self) -> str:
        self.reserve.tend()
        url = self.server.start()
        log.info("database_started")
        faults.signal("database.started")
        return url

    def look_after(self) -> None:
        self.reserve.tend()
        if self.server.alive() or time.monotonic() < self.due:
            return
        if not self.failures:
            log.error("database_died")
        self.server.stop()
        try:
            self.start()
            self.failures = 0
        except (ServerFailed, DirectoryInUse) as error:
            # A full disk or another process using the directory. The parts respond with 503 in the meantime.
            self.failures += 1
            pause = _pause(self.failures)
            log.error("database_not_started", detail=error.detail, retry_in=pause)
            faults.signal("database.not_started")
            self.due = time.monotonic() + pause

    def stop(self) -> None:
        self.server.stop()


def _pause(failures: int) -> float:
    return min(0.5 * 2.0 ** min(failures - 1, 10), _LONGEST_PAUSE)


class _Stopping(Exception):
    """A signal told the supervisor to stop."""


def _on_signal(*_: object) -> None:
    # Ignore further signals, such as SIGHUP after SIGTERM, which would interrupt stopping the parts.
    for number in _STOPPED_BY:
        signal.signal(number, signal.SIG_IGN)
    raise _Stopping


def up() -> None:
    """Run everything on this machine: database (unless DOCSIEVE_DATABASE_URL is set), API and workers."""
    settings = load_settings()
    logs.configure(settings, process="up")
    for number in _STOPPED_BY:
        signal.signal(number, _on_signal)
    _check_port(settings)
    database = None
    if settings.database_url is None:
        reserve = Reserve(settings.data_dir, settings.min_free_bytes)
        database = OwnDatabase(EmbeddedServer(settings.data_dir), reserve)
    parts: list[Part] = []
    try:
        url = database.start() if database is not None else _given_url(settings)
        asyncio.run(knock(url))
        new_key = uvloop.run(wiring.prepare(settings, url))
        link = uvloop.run(_link(settings, url)) if has_reader(settings) else None
        parts.extend(_parts(settings, url))
        _greet(settings, new_key, link)
        while True:
            if database is not None:
                database.look_after()
            for part in parts:
                part.look_after()
            time.sleep(0.25)
    except _Stopping:
        log.info("stopping")
    finally:
        for number in _STOPPED_BY:
            signal.signal(number, signal.SIG_IGN)
        _stop(parts, database, settings)


def _check_port(settings: Settings) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise PortTaken(
                f"Cannot listen on {settings.host}:{settings.port} ({error.strerror})."
                " Stop the process that does, or set DOCSIEVE_PORT to a different port."
            ) from error


def _given_url(settings: Settings) -> str:
    assert settings.database_url is not None
    return settings.database_url.get_secret_value()


def _parts(settings: Settings, url: str) -> list[Part]:
    metrics = settings.data_dir.absolute() / "metrics"
    shutil.rmtree(metrics, ignore_errors=True)
    metrics.mkdir(parents=True)
    environment = {
        "DOCSIEVE_DATABASE_URL": url,
        "DOCSIEVE_DATA_DIR": str(settings.data_dir.absolute()),
    }
    if sys.stderr.isatty():
        environment["DOCSIEVE_LOG_FORMAT"] = "console"
    shared = ["--metrics-folder", str(metrics)]
    workers = [Part(f"worker {n + 1}", ["worker", *shared]) for n in range(settings.worker_processes)]
    parts = [Part("api", ["api", *shared]), *workers]
    for part in parts:
        part.environment = environment
    return parts


def _stop(parts: list[Part], database: OwnDatabase | None, settings: Settings) -> None:
    """Stops the API first, so that nothing new arrives, and the database last."""
    for part in parts[:1]:
        part.stop(15)
    for part in parts[1:]:
        if part.process is not None:
            part.process.terminate()
    for part in parts[1:]:
        part.stop(settings.shutdown_seconds + 10)
    if database is not None:
        database.stop()
    log.info("stopped")


async def _link(settings: Settings, url: str) -> str:
    database = await Database.open(url, connections=1)
    try:
        return await new_link(database, settings)
    finally:
        await database.close()


def _greet(settings: Settings, new_key: str | None, link: str | None) -> None:
    lines = [f"Docsieve is running at [bold]{server_url(settings)}[/]  (API reference: /docs)"]
    Console(stderr=True).print(Panel("\n".join(lines), expand=False))
    show_key(settings, new_key)
    if link is None:
        print("To sign in to the dashboard, run `docsieve link` on this machine.", file=sys.stderr)
    else:
        within = f"within {LINK_MINUTES:.0f} minutes"
        print(f"Sign in with this link, once, {within} (new link: docsieve link):\n  {link}", file=sys.stderr)
