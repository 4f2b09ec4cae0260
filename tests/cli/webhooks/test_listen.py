import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from docsieve.webhooks import new_key_pair, new_secret, sign
from tests.cli.terminal import COMMAND, CommandLine
from tests.service import is_setting, start_bound

SECRET = new_secret()
EVENT = {"id": "1", "type": "document.ready", "data": {"document": "0199"}}


class Listening:
    """A running `docsieve webhooks listen`."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr is not None and process.stdout is not None
        self.process = process
        self.announced = process.stderr.readline()
        self.url = re.findall(r"http://127\.0\.0\.1:\d+/", self.announced)[0]
        self._out = process.stdout

    def send(self, body: bytes, *keys: str, age: int = 0) -> int:
        timestamp = int(time.time()) - age
        signatures = " ".join(sign(key, "msg_1", timestamp, body) for key in keys)
        headers = {"webhook-id": "msg_1", "webhook-timestamp": str(timestamp), "webhook-signature": signatures}
        return httpx.post(f"{self.url}hooks", content=body, headers=headers, trust_env=False).status_code

    def line(self) -> str:
        return self._out.readline()

    def stop(self, number: signal.Signals) -> tuple[int, str, str]:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


Listen = Callable[..., Listening]


@pytest.fixture
def listen() -> Iterator[Listen]:
    with ExitStack() as stack:

        def start(*arguments: str, **variables: str) -> Listening:
            environment = {name: value for name, value in os.environ.items() if not is_setting(name)}
            process = start_bound(
                [*COMMAND, "webhooks", "listen", "--port", "0", *arguments],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**environment, **variables},
            )  # fmt: skip
            stack.enter_context(process)
            stack.callback(process.kill)
            return Listening(process)

        yield start


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_verified_event_is_printed_until_a_signal_ends_the_command(listen: Listen, number: signal.Signals) -> None:
    running = listen("--secret", SECRET)

    assert running.send(json.dumps(EVENT).encode(), new_secret(), SECRET) == 204
    first = running.line()
    rest = [running.line() for _ in json.dumps(EVENT, indent=2).splitlines()]
    code, out, err = running.stop(number)

    assert re.search(r"\d\d:\d\d:\d\d  verified  document.ready  msg_1$", first.strip())
    assert json.loads("".join(rest)) == EVENT
    assert (code, out, err) == (0, "", "stopped\n")


@pytest.mark.parametrize(
    ("keys", "age", "reason"),
    [
        ([new_secret()], 0, "No signature matches"),
        ([SECRET], 1000, "seconds old, at most 300"),
        ([], 0, "webhook-signature is missing"),
    ],
)
def test_a_forged_or_old_event_is_refused_with_the_reason(
    listen: Listen, keys: list[str], age: int, reason: str
) -> None:
    running = listen(DOCSIEVE_WEBHOOK_SECRET=SECRET)

    assert running.send(b"{}", *keys, age=age) == 401
    assert "refused  message" in running.line()
    assert reason in running.line()


def test_each_event_is_one_line_of_json(listen: Listen) -> None:
    private, public = new_key_pair()
    running = listen("--secret", public, "--json")
    body = json.dumps(EVENT).encode()

    assert [running.send(body, private), running.send(body, SECRET), running.send(b"\xff", private)] == [204, 401, 401]
    seen = [json.loads(running.line()) for _ in range(3)]

    assert [each["verified"] for each in seen] == [True, False, False]
    assert seen[0] == {
        "received_at": seen[0]["received_at"], "path": "/hooks", "message_id": "msg_1", "verified": True,
        "reason": None, "body": EVENT,
    }  # fmt: skip
    assert seen[2]["body"] == "\ufffd"


def test_without_a_secret_events_are_printed_and_marked_as_not_verified(listen: Listen) -> None:
    running = listen()

    assert "Nothing is verified" in running.announced
    assert running.send(b"{}", SECRET) == 204
    assert "not verified" in running.line()


def test_an_event_cannot_move_the_cursor_or_turn_the_text_around(listen: Listen) -> None:
    running = listen()

    running.send(json.dumps({"type": "\x1b[2J[red]x\u202e"}, ensure_ascii=False).encode())
    running.send(b"\x1b]0;title\x07 \xe2\x80\xae [bold]")
    _, out, _ = running.stop(signal.SIGTERM)

    assert "\x1b" not in out and "\x07" not in out and "\u202e" not in out
    assert "[2J[red]x[U+202E]" in out and "[U+202E] [bold]" in out


def test_a_request_without_a_length_or_with_an_enormous_one_is_refused(listen: Listen) -> None:
    running = listen()
    port = int(running.url.rstrip("/").rpartition(":")[2])

    for header, status in ((b"X: y", b"411"), (b"Content-Length: 99999999999", b"413"), (b"Content-Length: x", b"411")):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n" + header + b"\r\n\r\n")
            assert client.recv(1000).split()[1] == status


def test_a_secret_that_is_none_and_a_port_in_use_are_one_clear_line() -> None:
    docsieve = CommandLine(dict(os.environ))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        taken = docsieve("webhooks", "listen", "--port", port)
    wrong = docsieve("webhooks", "listen", "--port", 0, "--secret", "hunter2")

    assert (taken.code, taken.err) == (2, f"port_taken: Port {port} is in use. Choose another one with --port.\n")
    assert (wrong.code, wrong.err.partition(":")[0]) == (1, "signing_key_invalid")
