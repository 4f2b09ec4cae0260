"""`docsieve api`, `docsieve worker`, `docsieve migrate`: separate processes, to run on several machines."""

import gc
import os
import sys
from pathlib import Path
from socket import socket
from typing import Annotated

import typer
import uvloop
from prometheus_client import start_http_server

from docsieve import logs, wiring
from docsieve.api.limits.buckets import SharedBuckets
from docsieve.cli.console.configuration import load_settings
from docsieve.cli.server.database import reachable_database_url
from docsieve.cli.server.listening import bind
from docsieve.cli.server.parts import supervise_apis
from docsieve.cli.server.shared import Shared
from docsieve.db.connection.migrate import migrate as apply_migrations
from docsieve.metric_files import published
from docsieve.settings import Settings

KEY_FILE = "admin-key"

MetricsFolder = Annotated[
    Path | None, typer.Option(hidden=True, help="Folder where the processes of `up` share their metrics.")
]


def api(
    metrics_folder: MetricsFolder = None,
    shared: Annotated[str | None, typer.Option(hidden=True, help="What a process gets from its supervisor.")] = None,
) -> None:
    """Serve the API on DOCSIEVE_HOST and DOCSIEVE_PORT, with DOCSIEVE_API_PROCESSES processes."""
    settings = load_settings()
    logs.configure(settings, process="api")
    if shared is not None:
        inherited = Shared.read(shared)
        with reachable_database_url(settings) as url:
            return _serve(settings, url, inherited.sockets(), inherited.buckets(), metrics_folder)
    sockets = bind(settings)
    with reachable_database_url(settings) as url:
        show_key(settings, uvloop.run(wiring.prepare(settings, url)))
        if settings.api_processes == 1:
            return _serve(settings, url, sockets, SharedBuckets(), metrics_folder)
        return supervise_apis(settings, url, [each.fileno() for each in sockets])


def _serve(
    settings: Settings, url: str, sockets: list[socket], buckets: SharedBuckets, metrics_folder: Path | None
) -> None:
    from docsieve.api.server import serve  # uvicorn takes 27 ms of processor time, which a worker does not need

    with published(metrics_folder):
        app = wiring.build_api(settings, url, metrics_folder, buckets)
        _settle_garbage()
        serve(app, sockets)


def _settle_garbage() -> None:
    """Objects loaded by now live as long as the process, so the collector need not traverse them again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def has_reader(settings: Settings) -> bool:
    """Whether a person reads stderr. Otherwise it may be a log, which must not contain a key or a sign-in link."""
    return sys.stderr.isatty() and logs.for_people(settings)


def show_key(settings: Settings, new_key: str | None) -> None:
    """Printed as a plain line, so that it can be copied at any terminal width; without a terminal, kept in a file."""
    if new_key is None:
        return
    if has_reader(settings):
        print(f"Your admin key, which is shown only once:\n  export DOCSIEVE_API_KEY={new_key}", file=sys.stderr)
        return
    path = settings.data_dir.resolve() / KEY_FILE
    _write_private(path, new_key)
    print(f"The new admin key is in {path}. Move it to a safe place and delete the file.", file=sys.stderr)


def _write_private(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text + "\n")


def _lanes(requested: list[str], pool: str | None) -> dict[str, int]:
    if pool is not None:
        if pool not in wiring.POOLS:
            raise typer.BadParameter(f"{pool!r}: the pools are {', '.join(wiring.POOLS)}")
        if requested:
            raise typer.BadParameter("use either --pool or --queue")
        return dict(wiring.POOLS[pool])
    lanes = {}
    for each in requested:
        queue, _, slots = each.partition("=")
        if not queue or not slots.isdigit() or int(slots) < 1:
            raise typer.BadParameter(f"{each!r}: use the form NAME=SLOTS, for example default=8")
        lanes[queue] = int(slots)
    return lanes or dict(wiring.DEFAULT_LANES)


def worker(
    queue: Annotated[
        list[str] | None,
        typer.Option(help="Lane and number of slots, as NAME=SLOTS. Can be repeated. Defaults to all lanes."),
    ] = None,
    pool: Annotated[
        str | None,
        typer.Option(help=f"Set of lanes to run: {', '.join(wiring.POOLS)}. Other numbers of slots: --queue."),
    ] = None,
    metrics_port: Annotated[int | None, typer.Option(help="Port to serve this worker's metrics on.")] = None,
    metrics_folder: MetricsFolder = None,
) -> None:
    """Process jobs until SIGTERM."""
    settings = load_settings()
    lanes = _lanes(queue or [], pool)
    logs.configure(settings, process="worker")
    if metrics_port is not None:
        start_http_server(metrics_port)
    with reachable_database_url(settings) as url, published(metrics_folder):
        uvloop.run(apply_migrations(settings.direct_url(url)))
        _settle_garbage()
        uvloop.run(wiring.run_worker(settings, url, lanes))


def migrate() -> None:
    """Migrate the database. `up`, `api` and `worker` do this automatically."""
    settings = load_settings()
    logs.configure(settings, process="migrate")
    with reachable_database_url(settings) as url:
        uvloop.run(apply_migrations(settings.direct_url(url)))
