"""A small name server over UDP, whose answers change from one query to the next."""

import asyncio
import struct
from collections import Counter
from ipaddress import ip_address
from typing import Any, cast

A, AAAA = 1, 28
_RESPONSE, _NO_SUCH_NAME = 0x8180, 0x8183


class NameServer(asyncio.DatagramProtocol):
    """`answers` of a name are the addresses for its first query, its second, and so on; the last one stays.

    A name with no answers at all gets no response.
    """

    def __init__(self, answers: dict[str, list[list[str]]]) -> None:
        self._answers = answers
        self._asked: Counter[tuple[str, int]] = Counter()
        self._transport: asyncio.DatagramTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        name, kind, question = _question(data)
        rounds = self._answers.get(name)
        if rounds == []:
            return
        at = self._asked[name, kind]
        self._asked[name, kind] += 1
        found = [] if rounds is None else [ip_address(each).packed for each in rounds[min(at, len(rounds) - 1)]]
        records = [address for address in found if len(address) == (4 if kind == A else 16)]
        head = data[:2] + struct.pack(">HHHHH", _NO_SUCH_NAME if rounds is None else _RESPONSE, 1, len(records), 0, 0)
        body = b"".join(b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(each)) + each for each in records)
        self._transport.sendto(head + question + body, addr)


def _question(data: bytes) -> tuple[str, int, bytes]:
    at, labels = 12, []
    while length := data[at]:
        labels.append(data[at + 1 : at + 1 + length].decode().lower())
        at += 1 + length
    return ".".join(labels), int.from_bytes(data[at + 1 : at + 3]), data[12 : at + 5]
