"""Receivers on real sockets: decent, broken and hostile ones."""

import asyncio
import datetime
import ipaddress
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
# RuntimeError is what uvloop says of a connection that the client has closed.
_GONE = (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, RuntimeError)


@dataclass
class Receiver:
    """`heard` are the requests, `peers` the other ends of its connections, `sent` the bytes that were taken from it."""

    port: int = 0
    heard: list[bytes] = field(default_factory=list)
    peers: list[object] = field(default_factory=list)
    sent: int = 0
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client has closed a connection."""

    async def request(self, reader: asyncio.StreamReader) -> bytes:
        head = await reader.readuntil(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        length = int(lengths[0].partition(b":")[2]) if lengths else 0
        self.heard.append(head + await reader.readexactly(length))
        return self.heard[-1]

    async def send(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        writer.write(data)
        await writer.drain()
        self.sent += len(data)


Behavior = Callable[[Receiver, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def receiver(behave: Behavior, *, tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """Listens on 127.0.0.1 and treats every connection in the same way."""
    running = Receiver()
    connections: set[asyncio.Task[None] | None] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.add(asyncio.current_task())
        running.peers.append(writer.get_extra_info("peername"))
        with suppress(*_GONE, asyncio.CancelledError):
            await behave(running, reader, writer)
        running.closed.set()
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", ssl=tls)
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield running
    finally:
        server.close()
        for task in connections:
            if task is not None:
                task.cancel()


def answering(response: bytes) -> Behavior:
    """Gives the same response to every request, on as few connections as the client wants."""

    async def behave(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await receiver.request(reader)
            await receiver.send(writer, response)

    return behave


def breaking_off(response: bytes) -> Behavior:
    """Closes the connection after the response, whatever that promised."""

    async def behave(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receiver.request(reader)
        await receiver.send(writer, response)

    return behave


def endless(start: bytes, piece: bytes) -> Behavior:
    """Sends `piece` for as long as the client takes it."""

    async def behave(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receiver.request(reader)
        await receiver.send(writer, start)
        while True:
            await receiver.send(writer, piece)

    return behave


def dripping(start: bytes, piece: bytes, seconds: float = 0.02) -> Behavior:
    async def behave(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receiver.request(reader)
        await receiver.send(writer, start)
        while True:
            await receiver.send(writer, piece)
            await asyncio.sleep(seconds)

    return behave


async def hanging(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Takes the request and says nothing, until the client hangs up."""
    await receiver.request(reader)
    await reader.read()


async def silent(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Reads whatever comes and says nothing, until the client hangs up."""
    while await reader.read(65_536):
        pass


async def deaf(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Reads nothing."""
    await asyncio.Event().wait()


def certificate(folder: Path, *names: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """What a server for these names and a client that trusts it use."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([_alternative(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    pem = folder / "certificate.pem"
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    return server, ssl.create_default_context(cafile=str(pem))


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
