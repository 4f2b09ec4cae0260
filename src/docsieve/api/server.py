"""The HTTP server of the API."""

import resource
import socket
import sys

import uvicorn
from fastapi import FastAPI

from docsieve import faults
from docsieve.api.http.connections import TimedConnection
from docsieve.api.waiting import WaitingRequests

_STARTUP_FAILURE = 3
_MAX_OPEN_FILES = 65_536


class _Server(uvicorn.Server):
    """Reports when it accepts connections, and ends requests that wait before it waits for requests to end."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            faults.signal("api.ready")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        waiting: WaitingRequests = self.config.app.state.waiting  # type: ignore[union-attr]
        waiting.end()
        await super().shutdown(sockets)


def _allow_many_connections() -> None:
    """Raise the limit of open files, which is often 1,024, if the system allows it. Each client takes one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = _MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, allowed), hard))


def serve(app: FastAPI, sockets: list[socket.socket]) -> None:
    """Serve until SIGINT or SIGTERM on sockets that other processes may share.

    A server that cannot start ends the process.
    """
    server = _Server(
        uvicorn.Config(
            app,
            loop="uvloop",
            http=TimedConnection,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            # longer than clients and proxies keep idle connections, so that none sends a request into a closed one
            timeout_keep_alive=75,
            timeout_graceful_shutdown=10,
        )
    )
    _allow_many_connections()
    try:
        server.run(sockets)
    except KeyboardInterrupt:
        pass  # uvicorn has shut down already, and repeats the signal
    if not server.started:
        sys.exit(_STARTUP_FAILURE)
