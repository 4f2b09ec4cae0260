"""The sockets of the API. A supervisor binds them once, and all API processes accept from them.

The first process that is ready starts to listen, so clients are refused until then. A process that dies takes no
connection with it that it has not accepted yet.
"""

import socket

from docsieve.errors.setup import PortTaken
from docsieve.settings import Settings


def bind(settings: Settings) -> list[socket.socket]:
    """One for each address that the host has. Raises PortTaken."""
    try:
        found = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE | socket.AI_ADDRCONFIG
        )
        return [_bound(family, address) for family, _, _, _, address in dict.fromkeys(found)]
    except OSError as error:
        raise PortTaken(
            f"Cannot listen on {settings.host}:{settings.port} ({error.strerror})."
            " Stop the process that does, or set DOCSIEVE_PORT to a different port."
        ) from error


def _bound(family: int, address: tuple[object, ...]) -> socket.socket:
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.bind(address)
    except OSError:
        opened.close()
        raise
    return opened
