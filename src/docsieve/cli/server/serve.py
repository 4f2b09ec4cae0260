"""`docsieve api`, `docsieve worker`, `docsieve migrate`: the parts on their own, for many machines and one database."""

import gc
import sys
from pathlib import Path
from typing import Annotated

import typer
import uvloop
from prometheus_client import start_http_server

from docsieve import logs, wiring
from docsieve.cli.console.configuration import load_settings
from docsieve.cli.server.database import reachable_database_url
from docsieve.db.connection.migrate import migrate as apply_migrations
from docsieve.metric_files import published

MetricsFolder = Annotated[Path | None, typer.Option(hidden=True, help="where processes of `up` share their metrics")]


def api(metrics_folder: MetricsFolder = None) -> None:
    """Serve the API on DOCSIEVE_HOST and DOCSIEVE_PORT."""
    import uvicorn

    from docsieve.api.connections import TimedConnection

    settings = load_settings()
    logs.configure(settings, process="api")
    with reachable_database_url(settings) as url, published(metrics_folder):
        show_key(uvloop.run(wiring.prepare(settings, url)))
        app = wiring.build_api(settings, url, metrics_folder)
        _settle_garbage()
        uvicorn.run(
            app,
            host=settings.host,
            port=settings.port,
            loop="uvloop",
            http=TimedConnection,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=10,
        )


def _settle_garbage() -> None:
    """What is loaded by now stays for ever: the collector need not walk it again and again while requests come."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def show_key(new_key: str | None) -> None:
    """A plain line, so that it can be copied whole whatever the width of the terminal."""
    if new_key is not None:
        print(f"Your admin key, shown this once:\n  export DOCSIEVE_API_KEY={new_key}", file=sys.stderr)


def _lanes(requested: list[str]) -> dict[str, int]:
    lanes = {}
    for each in requested:
        queue, _, slots = each.partition("=")
        if not queue or not slots.isdigit() or int(slots) < 1:
            raise typer.BadParameter(f"{each!r}: write it as NAME=SLOTS, for example default=8")
        lanes[queue] = int(slots)
    return lanes or dict(wiring.DEFAULT_LANES)


def worker(
    queue: Annotated[
        list[str] | None, typer.Option(help="a lane and its slots, NAME=SLOTS; may be repeated; default: all lanes")
    ] = None,
    metrics_port: Annotated[int | None, typer.Option(help="serve this worker's metrics on this port")] = None,
    metrics_folder: MetricsFolder = None,
) -> None:
    """Work on the queue until SIGTERM."""
    settings = load_settings()
    lanes = _lanes(queue or [])
    logs.configure(settings, process="worker")
    if metrics_port is not None:
        start_http_server(metrics_port)
    with reachable_database_url(settings) as url, published(metrics_folder):
        uvloop.run(apply_migrations(url))
        _settle_garbage()
        uvloop.run(wiring.run_worker(settings, url, lanes))


def migrate() -> None:
    """Bring the database up to date; `up`, `api` and `worker` do this on their own."""
    settings = load_settings()
    logs.configure(settings, process="migrate")
    with reachable_database_url(settings) as url:
        uvloop.run(apply_migrations(url))
