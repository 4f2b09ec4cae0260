"""Connecting to one of several hosts: a primary and its standbys, of which one accepts writes.

asyncpg tries the hosts of a URL itself, but within one timeout: one that is powered off, and so does not even refuse,
uses it up before the next is tried. Here each host has its share.
"""

from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

import asyncpg

from docsieve.db.connection.driver import Connection

# Where the last connection of each URL was made. A host that does not respond would cost every connection its share.
_last: dict[str, str] = {}


def single_host_urls(url: str) -> list[str]:
    """A URL for each host, in their order, each with all other parts of the URL."""
    parts = urlsplit(url)
    account, at, hosts = parts.netloc.rpartition("@")
    if "," in hosts:
        return [urlunsplit(parts._replace(netloc=f"{account}{at}{each}")) for each in hosts.split(",")]
    return _from_options(parts) or [url]


def _from_options(parts: SplitResult) -> list[str]:
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    hosts = options.get("host", "").split(",")
    if len(hosts) < 2:
        return []
    ports = options.get("port", "").split(",")
    ports = ports * len(hosts) if len(ports) == 1 else ports
    if len(ports) != len(hosts):
        raise ValueError("The URL has a different number of hosts and ports.")
    urls = []
    for host, port in zip(hosts, ports, strict=True):
        chosen = {**options, "host": host, **({"port": port} if port else {})}
        urls.append(urlunsplit(parts._replace(query=urlencode(chosen, safe="/"))))
    return urls


async def open_connection(url: str, *, seconds: float, **options: Any) -> Connection:
    """Connect within `seconds`. Of several hosts, to one that accepts writes unless the URL asks for another kind.

    Raises what asyncpg raises; of several hosts, what the last one tried did.
    """
    urls = single_host_urls(url)
    if len(urls) == 1:
        return await asyncpg.connect(url, timeout=seconds, **options)
    if "target_session_attrs=" not in url:
        options["target_session_attrs"] = "read-write"
    failed: BaseException | None = None
    for each in sorted(urls, key=lambda one: one != _last.get(url)):
        try:
            connection: Connection = await asyncpg.connect(each, timeout=seconds / len(urls), **options)
        except (OSError, asyncpg.PostgresError, asyncpg.TargetServerAttributeNotMatched) as error:
            # a standby does not know why the primary is away
            if failed is None or not isinstance(error, asyncpg.TargetServerAttributeNotMatched):
                failed = error
        else:
            _last[url] = each
            return connection
    assert failed is not None
    raise failed
