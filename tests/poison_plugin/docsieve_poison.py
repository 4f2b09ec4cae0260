"""A parser that misbehaves on demand, so that tests can see the rest of the system stay on its feet.

A poison document is one line, `%POISON <what> [argument]`, of type `application/x-poison`:

    ok              one healthy page of the words `nothing wrong here`
    slow <n>        n healthy pages, one every 0.05 s
    segfault        reads address zero
    hang            uses CPU for ever
    sleep           waits for ever without CPU
    alloc           asks for 4 GB at once
    grow            takes memory in native code until refused, then aborts
    fork            starts two processes, one of them in a session of its own, then all wait for ever
    fill            writes to its working directory without end
    error           raises RuntimeError with a secret in its message
    exit            leaves the process with status 3
    babble          prints without end to both outputs, then behaves like `ok`
    flaky <path>    fails with an AttemptError the first two times, counted in the file at path
    env             one page of the names of its environment variables
    network <port>  one page of the word `reached` or `refused`, after an attempt to connect to the loopback
    secrets <pid>   one page of the word `readable` or `hidden`: whether that process's environment can be read
"""

import contextlib
import ctypes
import os
import socket
import time
from pathlib import Path

from docsieve.domain.pages import Line, Page, Word
from docsieve.errors import AttemptError, CorruptDocument
from docsieve.parsers.port import Reading, ReadOptions

PREFIX = b"%POISON "
MEDIA_TYPE = "application/x-poison"
SECRET = "sk-live-4242"


class PoisonParser:
    name = "poison"
    version = "1"
    uses_ocr = False
    media_types = frozenset({MEDIA_TYPE})

    def sniff(self, head: bytes) -> str | None:
        return MEDIA_TYPE if head.startswith(PREFIX) else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        what, _, argument = source.read_text().removeprefix(PREFIX.decode()).strip().partition(" ")
        if what == "slow":
            return Reading(int(argument), (slow_page(number) for number in range(1, int(argument) + 1)))
        return Reading(1, iter([page_of(misbehave(what, argument))]))


def slow_page(number: int) -> Page:
    time.sleep(0.05)
    return page_of([f"page{number}"], number)


def page_of(words: list[str], number: int = 1) -> Page:
    boxes = [(10.0 + 20 * place, 10.0, 25.0 + 20 * place, 20.0) for place in range(len(words))]
    line = Line(" ".join(words), (10.0, 10.0, boxes[-1][2], 20.0), list(map(Word, words, boxes)))
    return Page(number, max(595.0, line.box[2]), 842.0, [line])


def misbehave(what: str, argument: str) -> list[str]:
    match what:
        case "ok":
            pass
        case "segfault":
            ctypes.string_at(0)
        case "hang":
            while True:
                pass
        case "sleep":
            wait_for_ever()
        case "alloc":
            bytearray(4 * 1024**3)
        case "grow":
            grow()
        case "fork":
            fork_and_wait()
        case "fill":
            fill()
        case "error":
            raise RuntimeError(f"cannot use {SECRET}")
        case "exit":
            os._exit(3)
        case "babble":
            babble()
        case "flaky":
            fail_twice(Path(argument))
        case "env":
            return sorted(os.environ)
        case "network":
            return ["reached" if can_connect(int(argument)) else "refused"]
        case "secrets":
            return ["readable" if can_read(Path("/proc", argument, "environ")) else "hidden"]
        case _:
            raise CorruptDocument(f"There is no poison called {what}.")
    return ["nothing", "wrong", "here"]


def wait_for_ever() -> None:
    while True:
        time.sleep(3600)


def grow() -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    while block := libc.malloc(ctypes.c_size_t(1024**2)):
        ctypes.memset(block, 1, 1024**2)
    libc.abort()


def fork_and_wait() -> None:
    for own_session in (False, True):
        if os.fork() == 0:
            if own_session:
                os.setsid()
            wait_for_ever()
    wait_for_ever()


def fill() -> None:
    with open("filler", "wb") as file:
        while True:
            file.write(bytes(1024**2))


def babble() -> None:
    for _ in range(200):
        print("document text " * 100)
        for output in (1, 2):
            with contextlib.suppress(BlockingIOError):
                os.write(output, b"document text " * 100)


def fail_twice(counter: Path) -> None:
    failures = int(counter.read_text()) if counter.exists() else 0
    if failures < 2:
        counter.write_text(str(failures + 1))
        raise AttemptError("The flaky parser failed.")


def can_connect(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
    except OSError:
        return False
    return True


def can_read(path: Path) -> bool:
    try:
        return bool(path.read_bytes())
    except OSError:
        return False
