"""URLs that users enter, taken apart once: the checked parts are those that are called."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Literal

import httpx

from docsieve.errors.outbound import AddressNotAllowed, UrlInvalid
from docsieve.outbound.addresses import Address, AddressPolicy
from docsieve.settings import PortRange

MAX_URL_LENGTH = 2048

_CACHED_URLS = 1024

_DEFAULT_PORTS = {"http": 80, "https": 443}
_LABEL = r"(?!-)[a-z0-9_-]{1,63}(?<!-)"
_NAME = re.compile(rf"{_LABEL}(\.{_LABEL})*")
_MAX_NAME_LENGTH = 253
# The C library takes such a name for an address in another notation: 127.1, 0x7f000001, 017700000001.
_NUMERIC = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)")
_LOCALHOST = (IPv4Address("127.0.0.1"), IPv6Address("::1"))


@dataclass(frozen=True, slots=True)
class Target:
    """Where a URL leads to. `host` is a name in ASCII or a literal address without brackets."""

    scheme: Literal["http", "https"]
    host: str
    port: int
    path: bytes

    @property
    def address(self) -> Address | None:
        """The address, if the host is one."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    @property
    def authority(self) -> str:
        """The value of the header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def check(self, policy: AddressPolicy, ports: Sequence[PortRange]) -> None:
        """Raise AddressNotAllowed for a port or a literal address that must not be called."""
        if not any(first <= self.port <= last for first, last in ports):
            raise AddressNotAllowed(f"Port {self.port} is not allowed.")
        if self.address is not None and not policy.allows(self.address):
            raise AddressNotAllowed(f"The address {self.host} is not allowed.")
        is_localhost = self.host == "localhost" or self.host.endswith(".localhost")
        if is_localhost and not any(policy.allows(each) for each in _LOCALHOST):
            raise AddressNotAllowed(f"The address {self.host} is not allowed.")


@lru_cache(_CACHED_URLS)
def parse_url(text: str) -> Target:
    """Raises UrlInvalid for everything but a plain http(s) URL."""
    if len(text) > MAX_URL_LENGTH:
        raise UrlInvalid(f"The URL is longer than {MAX_URL_LENGTH} characters.")
    if not text.isprintable() or " " in text:
        raise UrlInvalid("The URL contains a space or a control character.")
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError):
        raise UrlInvalid from None
    if url.scheme not in ("http", "https"):
        raise UrlInvalid("The URL must start with http:// or https://.")
    if "@" in re.split(r"[/?#]", text.partition("//")[2], maxsplit=1)[0]:
        raise UrlInvalid("The URL must not contain a user name or password.")
    port = _DEFAULT_PORTS[url.scheme] if url.port is None else url.port
    if not 0 < port < 65_536:
        raise UrlInvalid("The port of the URL is not valid.")
    scheme: Literal["http", "https"] = "https" if url.scheme == "https" else "http"
    return Target(scheme, _host(url.raw_host.decode("ascii").lower()), port, url.raw_path)


def _host(host: str) -> str:
    """Without a final dot, which would make an address look like a name."""
    host = host.removesuffix(".")
    try:
        address = ip_address(host)
    except ValueError:
        pass
    else:
        if "%" in host:
            raise UrlInvalid("The URL must not contain a zone id.")
        return str(address)
    if _NUMERIC.fullmatch(host):
        raise UrlInvalid("Write the address of the host as four decimal numbers.")
    if len(host) > _MAX_NAME_LENGTH or not _NAME.fullmatch(host):
        raise UrlInvalid("The host of the URL is not a valid name.")
    return host
