"""Connections that wait for the next call to their host.

The pool of httpcore compares all connections with each other at every call: 50 calls at a time to one host took several
times as much processor time as with this one.
"""

import ssl

import httpcore

from docsieve.outbound.urls import Target

MAX_IDLE = 256
_IDLE_SECONDS = 1.0  # shorter than what servers grant, so that none closes a connection while it is being reused

Connection = httpcore.AsyncHTTPConnection
_Key = tuple[str, str, int]


class ConnectionPool:
    """Keeps connections per scheme, host and port: another name with the same address does not get them."""

    def __init__(self, backend: httpcore.AsyncNetworkBackend, tls: ssl.SSLContext) -> None:
        self._backend = backend
        self._tls = tls
        self._idle: dict[Connection, _Key] = {}  # in the order in which they became idle
        self._by_host: dict[_Key, list[Connection]] = {}

    async def take(self, target: Target) -> Connection:
        """An idle connection to the host that is still open, or one that will connect."""
        key = _key(target)
        while key in self._by_host:
            connection = self._by_host[key][-1]
            self._remove(connection)
            if connection.is_available() and not connection.has_expired():
                return connection
            await connection.aclose()
        origin = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target="/").origin
        return Connection(origin, ssl_context=self._tls, keepalive_expiry=_IDLE_SECONDS, network_backend=self._backend)

    async def give_back(self, target: Target, connection: Connection) -> None:
        """Keep a connection whose last response was read to its end; close any other, and those idle for too long."""
        if connection.is_idle():
            key = _key(target)
            self._idle[connection] = key
            self._by_host.setdefault(key, []).append(connection)
        else:
            await connection.aclose()
        while self._idle:
            oldest = next(iter(self._idle))
            if len(self._idle) <= MAX_IDLE and not oldest.has_expired():
                break
            self._remove(oldest)
            await oldest.aclose()

    async def close(self) -> None:
        for connection in list(self._idle):
            self._remove(connection)
            await connection.aclose()

    def _remove(self, connection: Connection) -> None:
        key = self._idle.pop(connection)
        self._by_host[key].remove(connection)
        if not self._by_host[key]:
            del self._by_host[key]


def _key(target: Target) -> _Key:
    return target.scheme, target.host, target.port
