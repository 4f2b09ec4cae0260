"""Names to addresses, with the resolver of the operating system."""

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import ip_address

from docsieve.errors.outbound import ReceiverUnreachable
from docsieve.outbound.addresses import Address

Resolve = Callable[[str], Awaitable[list[Address]]]

MAX_LOOKUPS = 256


class SystemResolver:
    """Looks names up in separate threads.

    A name server that hangs blocks a thread for up to half a minute. In the shared thread pool that would stop the
    process from doing anything else, and at its end from exiting. Simultaneous lookups of a name share one thread.
    """

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(MAX_LOOKUPS)
        self._running: dict[str, asyncio.Task[list[Address]]] = {}

    async def __call__(self, host: str) -> list[Address]:
        """Raises ReceiverUnreachable if there is no such name."""
        lookup = self._running.get(host)
        if lookup is None:
            lookup = self._running[host] = asyncio.create_task(self._look_up(host))
            lookup.add_done_callback(lambda _: self._running.pop(host, None))
        found = await asyncio.shield(lookup)
        if not found:
            raise ReceiverUnreachable("The name of the server could not be resolved.")
        return found

    async def _look_up(self, host: str) -> list[Address]:
        async with self._free:
            return [ip_address(each) for each in await _in_thread(host)]


async def _in_thread(host: str) -> list[str]:
    loop = asyncio.get_running_loop()
    done: asyncio.Future[list[str]] = loop.create_future()

    def look_up() -> None:
        try:
            answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            found = list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in answers))
        except (OSError, UnicodeError):
            found = []
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(lambda: None if done.cancelled() else done.set_result(found))

    threading.Thread(target=look_up, name="resolver", daemon=True).start()
    return await done
