"""`unshare --net --mount python -m tests.outbound.world FOLDER`: hostile names and addresses, and who was reached.

In this world every address leads to one listener, which notes the address it was called by. Names are resolved by the
operating system, which asks a name server that changes its mind. A careless client, which checks a name and then
connects to it, shows that the listener would have noticed.
"""

import asyncio
import json
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import httpx
import uvloop

from docsieve import outbound
from docsieve.errors import DocsieveError
from docsieve.outbound.addresses import AddressPolicy
from docsieve.settings import Settings
from tests.namespaces import lead_everything_to_the_loopback
from tests.outbound.name_server import NameServer
from tests.outbound.receivers import OK, Receiver

PUBLIC = "93.184.216.34"
ROUNDS = 20
HANGING = 100
PORT = 8000
REBINDING: list[list[str]] = [[PUBLIC], ["127.0.0.1"]] * ROUNDS * 4

NAMES: dict[str, list[list[str]]] = {
    "public.test": [[PUBLIC]],
    "rebinding.test": REBINDING,
    "careless.test": REBINDING,
    "private.test": [["10.0.0.5"]],
    "mixed.test": [[PUBLIC, "127.0.0.1"]],
    "metadata.test": [["169.254.169.254"]],
    "azure.test": [["168.63.129.16"]],
    "loopback6.test": [["::1"]],
    "mapped.test": [["::ffff:127.0.0.1"]],
    "nat64.test": [["64:ff9b::7f00:1"]],
    "6to4.test": [["2002:7f00:1::1"]],
    "teredo.test": [["2001:0:7f00:1::1"]],
    "unspecified.test": [["0.0.0.0"]],
    "shared.test": [],
    **{f"hanging{at}.test": [] for at in range(HANGING)},
}
REFUSED = [
    "private.test", "mixed.test", "metadata.test", "azure.test", "loopback6.test", "mapped.test", "nat64.test",
    "6to4.test", "teredo.test", "unspecified.test", "missing.test",
    "127.0.0.1", "127.0.0.1.", "127.1", "127.1.", "2130706433", "0x7f000001", "0177.0.0.1", "017700000001", "0",
    "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::]", "169.254.169.254", "168.63.129.16", "100.100.100.200", "[fd00:ec2::254]", "10.0.0.1",
    "192.168.0.1", "100.64.0.1", "224.0.0.1", "localhost", "LocalHost.", "１２７.0.0.1", "127。0。0。1",
    "[fe80::1%25lo]", "public.test@127.0.0.1", "127.0.0.1\\@public.test", "public.test\t127.0.0.1",
]  # fmt: skip


class Listener(Receiver):
    """Notes in `called` the addresses by which it was reached."""

    def __init__(self) -> None:
        super().__init__()
        self.called: list[str] = []

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        own = ip_address(writer.get_extra_info("sockname")[0])
        self.called.append(str(getattr(own, "ipv4_mapped", None) or own))
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await self.request(reader)
            await self.send(writer, OK)
        writer.close()

    def reached(self) -> list[str]:
        """The addresses since the last call."""
        found, self.called = self.called, []
        return found


async def outcome(client: outbound.OutboundClient, host: str, timeout: float = 10.0) -> str:
    try:
        response = await client.post(f"http://{host}:{PORT}/", {}, b"{}", timeout=timeout)
    except DocsieveError as error:
        return error.code
    return str(response.status)


async def careless(host: str) -> str:
    """Checks what a name resolves to, then connects by name."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, PORT, type=socket.SOCK_STREAM)
    if not all(AddressPolicy().allows(ip_address(sockaddr[0])) for *_, sockaddr in found):
        return "refused"
    async with httpx.AsyncClient(trust_env=False) as client:
        return str((await client.post(f"http://{host}:{PORT}/", content=b"{}")).status_code)


async def answers_while_names_hang(client: outbound.OutboundClient) -> dict[str, object]:
    """Whether a decent receiver and other threads are served while many lookups hang."""
    stuck = [asyncio.create_task(outcome(client, f"hanging{at}.test", 2.0)) for at in range(HANGING)]
    await asyncio.sleep(0)
    decent = await outcome(client, "public.test", 1.9)
    other = await asyncio.to_thread(lambda: "ran")
    waiting = sum(not task.done() for task in stuck)
    return {"decent": decent, "other": other, "waiting": waiting, "hung": sorted(set(await asyncio.gather(*stuck)))}


async def callers_of_one_name(client: outbound.OutboundClient) -> dict[str, object]:
    """How many threads look up a name that hangs, and what its callers get although the first one gives up early."""
    callers = [asyncio.create_task(outcome(client, "shared.test", 0.1 if at == 0 else 0.5)) for at in range(10)]
    for _ in range(10):
        await asyncio.sleep(0)
    lookups = [each for each in threading.enumerate() if each.name == "resolver"]
    outcomes = await asyncio.gather(*callers, return_exceptions=True)
    return {
        "lookups": len(lookups),
        "outcomes": sorted({str(each) or type(each).__name__ for each in outcomes}),
        "outlive_the_process": not all(each.daemon for each in lookups),
    }


async def experiments() -> dict[str, object]:
    listener = Listener()
    server = await asyncio.start_server(listener.answer, ["0.0.0.0", "::"], PORT)
    loop = asyncio.get_running_loop()
    await loop.create_datagram_endpoint(lambda: NameServer(NAMES), local_addr=("127.0.0.1", 53))
    client = outbound.client(Settings(outbound_ports="1-65535"))
    found: dict[str, object] = {
        "public": await outcome(client, "public.test"),
        "public_reached": listener.reached(),
        "rebinding": [await outcome(client, "rebinding.test") for _ in range(ROUNDS)],
        "rebinding_reached": listener.reached(),
        "careless": [await careless("careless.test") for _ in range(ROUNDS)],
        "careless_reached": listener.reached(),
        "refused": {host: await outcome(client, host) for host in REFUSED},
        "refused_reached": listener.reached(),
        "shared": await callers_of_one_name(client),
        "hanging": await answers_while_names_hang(client),
    }
    server.close()
    await client.close()
    return found


def main() -> None:
    lead_everything_to_the_loopback()
    resolver = Path(sys.argv[1], "resolv.conf")
    resolver.write_text("nameserver 127.0.0.1\noptions timeout:5 attempts:1\n")
    subprocess.run(["mount", "--bind", resolver, "/etc/resolv.conf"], check=True, capture_output=True)
    print(json.dumps(uvloop.run(experiments())))  # as servers do


if __name__ == "__main__":
    main()
