"""Calls to addresses that users enter, such as webhook receivers. They reach public addresses and nothing else.

Every outgoing call to a user-given address goes through `client`; `check_url` refuses what can be refused without a
connection, when a URL is saved.
"""

from docsieve.outbound.addresses import AddressPolicy
from docsieve.outbound.http import OutboundClient, OutboundResponse
from docsieve.outbound.urls import Target, parse_url
from docsieve.settings import Settings

__all__ = ["OutboundClient", "OutboundResponse", "Target", "check_url", "client"]


def client(settings: Settings) -> OutboundClient:
    return OutboundClient(AddressPolicy(settings.outbound_allow), settings.outbound_ports)


def check_url(url: str, settings: Settings) -> Target:
    """Check syntax, scheme, port and literal addresses; names are resolved and checked when a connection is made.

    Raises UrlInvalid and AddressNotAllowed.
    """
    target = parse_url(url)
    target.check(AddressPolicy(settings.outbound_allow), settings.outbound_ports)
    return target
