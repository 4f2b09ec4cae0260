"""`docsieve webhooks listen`: a receiver on this machine that verifies webhooks and prints them."""

import json
import signal
import sys
import threading
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Annotated, Any

import typer
from rich.text import Text

from docsieve.cli.console.options import AsJson
from docsieve.cli.console.tables import cell, console
from docsieve.domain.text import clean, visible
from docsieve.errors.setup import PortTaken
from docsieve.webhooks import (
    ID_HEADER,
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    WebhookNotVerified,
    verify_webhook,
)

_HOST = "127.0.0.1"
_MAX_BODY_BYTES = 64 * 1024**2
_SECONDS_PER_REQUEST = 60


@dataclass(frozen=True, slots=True)
class Received:
    """`verified` is None if no key was given. `body` is JSON if it can be parsed, otherwise text."""

    received_at: str
    path: str
    message_id: str | None
    verified: bool | None
    reason: str | None
    body: Any

    @property
    def type(self) -> str:
        found = self.body.get("type") if isinstance(self.body, dict) else None
        return found if isinstance(found, str) else "message"


def listen(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on this machine; 0 chooses a free one.")] = 8401,
    secret: Annotated[
        str | None,
        typer.Option(
            envvar="DOCSIEVE_WEBHOOK_SECRET",
            help="Secret (whsec_…) or public key (whpk_…) of the endpoint. Without it, nothing is verified.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Receive webhooks on this machine, verify and print them until interrupted.

    A verified message is answered with 204, any other with 401. The server must be allowed to call this machine, for
    example with DOCSIEVE_OUTBOUND_ALLOW=127.0.0.0/8.
    """
    if secret is not None:
        _check_key(secret)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        server = _Server((_HOST, port), _Handler)
    except OSError:
        raise PortTaken(f"Port {port} is in use. Choose another one with --port.") from None
    server.key, server.as_json = secret, as_json
    checks = "Signatures are verified." if secret is not None else "Nothing is verified: --secret is missing."
    print(f"Listening on http://{_HOST}:{server.server_port}/. {checks} Stop with Ctrl+C.", file=sys.stderr, flush=True)
    with server:
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)


class _Server(ThreadingHTTPServer):
    key: str | None
    as_json: bool

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._printing = threading.Lock()

    def received(self, path: str, headers: dict[str, str], content: bytes) -> bool:
        """Print a message; False if it is not authentic."""
        reason = None
        if self.key is not None:
            try:
                verify_webhook(headers, content, self.key)
            except WebhookNotVerified as error:
                reason = error.detail
        verified = None if self.key is None else reason is None
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        message = Received(now, path, headers.get(ID_HEADER), verified, reason, _readable(content))
        with self._printing:
            _print_json(message) if self.as_json else _print(message)
        return verified is not False


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = _SECONDS_PER_REQUEST

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _MAX_BODY_BYTES:
            self.close_connection = True
            self._answer(413 if length.isdecimal() else 411)
            return
        content = self.rfile.read(int(length))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._answer(204 if self.server.received(self.path, headers, content) else 401)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _check_key(key: str) -> None:
    """Raises SigningKeyInvalid before anything is received."""
    try:
        verify_webhook({ID_HEADER: "-", TIMESTAMP_HEADER: str(int(time.time())), SIGNATURE_HEADER: "-"}, b"", key)
    except WebhookNotVerified:
        pass


def _readable(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content.decode(errors="replace")


def _print_json(message: Received) -> None:
    print(json.dumps(asdict(message)), flush=True)


def _print(message: Received) -> None:
    """The sender may be anyone, so that nothing it sent can move the cursor or turn the text around."""
    state, style = {
        None: ("not verified", "yellow"),
        True: ("verified", "green"),
        False: ("refused", "red"),
    }[message.verified]
    parts = [cell(datetime.fromisoformat(message.received_at)), Text(state, style), cell(message.type)]
    parts.append(cell(message.message_id))
    out = console()
    out.print(Text("  ").join(parts))
    if message.reason is not None:
        out.print(Text(f"  {message.reason}", "red"))
    body = message.body if isinstance(message.body, str) else json.dumps(message.body, indent=2, ensure_ascii=False)
    out.print(Text(visible(clean(body))), soft_wrap=True)
    out.file.flush()
