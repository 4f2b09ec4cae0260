"""`docsieve up`: runs the embedded database, the API and the workers in one terminal.

The supervisor owns the database and the sockets that the API listens on. The others are separate processes, so that
they can crash independently.
"""

import asyncio
import shutil
import sys
import time
from dataclasses import dataclass

import uvloop
from rich.console import Console
from rich.panel import Panel

from docsieve import faults, logs, wiring
from docsieve.cli.console.configuration import load_settings, server_url
from docsieve.cli.server.database import knock
from docsieve.cli.server.link import LINK_MINUTES, new_link
from docsieve.cli.server.listening import bind
from docsieve.cli.server.parts import (
    LOOK_SECONDS,
    Part,
    Stopping,
    api_parts,
    ignore_signals,
    pause,
    stop_all,
    stop_apis,
    stop_on_signals,
)
from docsieve.cli.server.serve import has_reader, show_key
from docsieve.db.connection.session import Database
from docsieve.db.server.embedded import EmbeddedServer
from docsieve.db.server.reserve import Reserve
from docsieve.errors.setup import DirectoryInUse, ServerFailed
from docsieve.settings import Settings

log = logs.get_logger()


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
            seconds = pause(self.failures)
            log.error("database_not_started", detail=error.detail, retry_in=seconds)
            faults.signal("database.not_started")
            self.due = time.monotonic() + seconds

    def stop(self) -> None:
        self.server.stop()


def up() -> None:
    """Run everything on this machine: database (unless DOCSIEVE_DATABASE_URL is set), API and workers."""
    settings = load_settings()
    logs.configure(settings, process="up")
    stop_on_signals()
    sockets = bind(settings)
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
        parts.extend(_parts(settings, url, [each.fileno() for each in sockets]))
        _greet(settings, new_key, link)
        while True:
            if database is not None:
                database.look_after()
            for part in parts:
                part.look_after()
            time.sleep(LOOK_SECONDS)
    except Stopping:
        log.info("stopping")
    finally:
        ignore_signals()
        _stop(parts, database, settings)


def _given_url(settings: Settings) -> str:
    assert settings.database_url is not None
    return settings.database_url.get_secret_value()


def _parts(settings: Settings, url: str, sockets: list[int]) -> list[Part]:
    metrics = settings.data_dir.absolute() / "metrics"
    shutil.rmtree(metrics, ignore_errors=True)
    metrics.mkdir(parents=True)
    environment = {
        "DOCSIEVE_DATABASE_URL": url,
        "DOCSIEVE_DATA_DIR": str(settings.data_dir.absolute()),
    }
    if sys.stderr.isatty():
        environment["DOCSIEVE_LOG_FORMAT"] = "console"
    workers = [
        Part(f"worker {n + 1}", ["worker", "--metrics-folder", str(metrics)]) for n in range(settings.worker_processes)
    ]
    parts = [*api_parts(settings, sockets, metrics), *workers]
    for part in parts:
        part.environment = environment
    return parts


def _stop(parts: list[Part], database: OwnDatabase | None, settings: Settings) -> None:
    """Stops the API first, so that nothing new arrives, and the database last."""
    apis = [part for part in parts if part.files]
    stop_apis(apis)
    stop_all([part for part in parts if part not in apis], settings.shutdown_seconds + 10)
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
