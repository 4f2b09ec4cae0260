"""A parser that misbehaves on demand, so that tests can see the rest of the system stay on its feet.

A poison document is one line, `%POISON <what> [argument]`, of type `application/x-poison`:

    ok              one healthy page of the words `nothing wrong here`
    slow <n>        n healthy pages, one every 0.05 s
    busy <n>        n healthy pages, each after 0.4 s of CPU
    until <path>    two healthy pages, the second once there is a file at path
    stops <n> <of> <path>  so many pages with 120 words each, of which those after n come once there is a file at path
    segfault        reads address zero
    hang            uses CPU for ever
    regex           uses CPU for ever inside one call into C
    sleep           waits for ever without CPU
    stubborn        ignores every signal that can be ignored, and waits for ever
    alloc           asks for 4 GB at once
    grow            takes memory in native code until refused, then aborts
    hoard           takes memory in several processes, none of which takes too much for one
    reserve <mb>    takes so much memory without ever touching it, keeps it, and behaves like `ok`
    fork            starts two processes, one of them in a new session, then all wait for ever
    bomb            starts processes that start processes without end
    fill            writes one file in its working directory without end
    litter          writes file after file in its working directory
    ghosts          as litter, but deletes each file and keeps it open
    files           makes empty files without end
    error           raises RuntimeError with a secret in its message
    refuse <words>  says with these words that the document is damaged
    exit            leaves the process with status 3
    babble          prints without end to both outputs, then behaves like `ok`
    flood           prints without end to both outputs
    flaky <path>    fails with an AttemptError until there is a file at path
    env             one page of the names of its environment variables
    identity        one page of its user, group, other groups, and the capabilities it has or a program could get
    network <port>  one page of the word `reached` or `refused`, after an attempt to connect to the loopback
    socket <path>   the same for a socket in the file system
    secrets <pid>   one page of the word `readable` or `hidden`: whether that process's environment can be read
    read <path>     the same for a file
    write <path>    one page of the word `written` or `refused`, after an attempt to write to that path
    ocr <names>     dies by SIGSEGV during OCR with one of these backends, else one page of the backend or engine used
    smuggle <path>  puts a link to that path in the place of its output
    nest <n>        makes a folder in a folder, n times, in its working directory, and behaves like `ok`
    burrow          the same without end
    daemon          leaves a process in a new session, without a parent, and behaves like `ok`
    impostor        as daemon; that process goes on to send forged answers to any peer that was connected
    stain           changes the parser in memory for the next document, and behaves like `ok`
    claim <name>    says that it loaded the OCR models of that name, and behaves like `ok`
    trap <place>    has what is called at that place, `<module>.<name>`, read address zero, and behaves like `ok`
    stained         one page of the word `stained` or `clean`
    reach           one page of the word `reached` or `refused`, after attempts to get at every process it can see
    descriptors     one page of the kinds of its open files
    nul             one page, with a table, form field, note, title and attachment, whose texts are broken
"""

import contextlib
import ctypes
import itertools
import json
import mmap
import os
import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path

from docsieve.domain.pages.page import (
    AttachmentEntry,
    Bookmark,
    Cell,
    DocumentInfo,
    FormField,
    Line,
    Note,
    Page,
    Table,
    Word,
)
from docsieve.errors import AttemptError, CorruptDocument, OcrBackendUnset
from docsieve.parsers.ocr import registry
from docsieve.parsers.ocr.registry import engine
from docsieve.parsers.port import Attachment, Reading, ReadOptions
from docsieve.sandbox import frames

from .probes import STAINED, find_out, open_files

PREFIX = b"%POISON "
MEDIA_TYPE = "application/x-poison"
SECRET = "sk-live-4242"
BROKEN = "\x00\ud800"

RESERVED: list[mmap.mmap] = []


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
        if what == "busy":
            return Reading(int(argument), (busy_page(number) for number in range(1, int(argument) + 1)))
        if what == "until":
            return Reading(2, pages_until(argument))
        if what == "stops":
            return stopping(*argument.split())
        if what == "ocr":
            return Reading(1, read_by_ocr(argument.split(), options))
        if what == "smuggle":
            return Reading(1, smuggle(argument))
        if what == "nul":
            return broken_reading()
        return Reading(1, iter([page_of(misbehave(what, argument))]))


def slow_page(number: int) -> Page:
    time.sleep(0.05)
    return page_of([f"page{number}"], number)


def busy_page(number: int) -> Page:
    until = time.process_time() + 0.4
    while time.process_time() < until:
        pass
    return page_of([f"page{number}"], number)


def pages_until(path: str) -> Iterator[Page]:
    yield page_of(["page1"], 1)
    while not os.path.exists(path):
        time.sleep(0.02)
    yield page_of(["page2"], 2)


def stopping(after: str, pages: str, path: str) -> Reading:
    def read() -> Iterator[Page]:
        for number in range(1, int(pages) + 1):
            while number > int(after) and not os.path.exists(path):
                time.sleep(0.02)
            yield page_of([f"topic{number}", *(f"word{number}x{place}" for place in range(119))], number)

    return Reading(int(pages), read())


def read_by_ocr(deadly: list[str], options: ReadOptions) -> Iterator[Page]:
    options.before_ocr()
    engine(options.ocr_engine, options.ocr_backend).check(options.ocr_languages)
    used = options.ocr_backend or options.ocr_engine
    if used == "rapidocr":
        raise OcrBackendUnset
    if used in deadly:
        ctypes.string_at(0)
    yield page_of([used])


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
        case "regex":
            re.match(r"(a+)+$", "a" * 64 + "b")
        case "sleep":
            wait_for_ever()
        case "stubborn":
            ignore_signals()
            wait_for_ever()
        case "alloc":
            bytearray(4 * 1024**3)
        case "grow":
            grow()
        case "hoard":
            hoard()
        case "reserve":
            RESERVED.append(mmap.mmap(-1, int(argument) * 1024**2, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
        case "fork":
            fork_and_wait()
        case "bomb":
            bomb()
        case "fill" | "litter" | "ghosts" | "files":
            fill(what)
        case "error":
            raise RuntimeError(f"cannot use {SECRET}")
        case "refuse":
            raise CorruptDocument(argument)
        case "exit":
            os._exit(3)
        case "babble":
            babble(200)
        case "flood":
            babble(None)
        case "nest":
            nest(range(int(argument)))
        case "burrow":
            nest(itertools.count())
        case "daemon":
            leave_behind(wait_for_ever)
        case "impostor":
            leave_behind(answer_for_others)
        case "claim":
            registry.loaded = lambda: argument
        case "stain":
            STAINED.append(what)
        case "trap":
            module, _, name = argument.rpartition(".")
            setattr(import_module(module), name, lambda *_: ctypes.string_at(0))
        case "flaky":
            if not os.path.exists(argument):
                raise AttemptError("The flaky parser failed.")
        case _:
            return find_out(what, argument)
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


def ignore_signals() -> None:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError):  # the C library keeps some for itself
            signal.signal(number, signal.SIG_IGN)


def hoard() -> None:
    for _ in range(8):
        if os.fork() == 0:
            kept = bytearray(b"x") * (128 * 1024**2)
            wait_for_ever()
            print(len(kept))
    wait_for_ever()


def bomb() -> None:
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.2)  # refused is enough: the test machine has other things to do


def fork_and_wait() -> None:
    for own_session in (False, True):
        if os.fork() == 0:
            if own_session:
                os.setsid()
            wait_for_ever()
    wait_for_ever()


def fill(what: str) -> None:
    kept = []
    for number in itertools.count():
        with open("filler" if what == "fill" else f"filler-{number}", "ab") as file:
            if what != "files":
                file.write(bytes(1024**2))
                time.sleep(0.01)
            if what == "ghosts":
                os.unlink(file.name)
                kept.append(os.dup(file.fileno()))


def nest(depths: Iterable[int]) -> None:
    for _ in depths:
        os.mkdir("d")
        os.chdir("d")


def leave_behind(work: Callable[[], None]) -> None:
    """In a process that has no parent any more, which is running when this returns."""
    running, runs = os.pipe()
    parent = os.fork()
    if parent == 0:
        os.setsid()
        if os.fork() == 0:
            os.write(runs, b"x")
            work()
        os._exit(0)
    os.waitpid(parent, 0)
    os.read(running, 1)


def answer_for_others() -> None:
    summary = {"pages": {"page_count": 666, "characters": 1, "pages_failed": 0, "bytes": 1}}
    forged = frames.encode({"result": json.dumps(summary), "models": None})
    while True:
        for number in open_files():
            with contextlib.suppress(OSError):
                os.write(number, forged)
        time.sleep(0.01)


def broken_reading() -> Reading:
    text, box = f"nothing {BROKEN}wrong", (10.0, 10.0, 80.0, 20.0)
    page = Page(
        1, 595.0, 842.0, [Line(text, box, [Word("nothing", box), Word(f"{BROKEN}wrong", box), Word(BROKEN, box)])]
    )
    page.tables = [Table(box, 1, 1, [Cell(0, 0, text, box)])]
    page.form_fields = [FormField(text, "choice", [text], box)]
    page.notes = [Note("link", text, box, target=text)]
    info = DocumentInfo(text, text, None, {text: text}, [Bookmark(text, 1, 1)], [AttachmentEntry(text, 4, text)])
    attached = Attachment(f"{BROKEN}note.txt", b"Plain text, long enough to be one.")
    return Reading(1, iter([page]), info, iter([attached]))


def babble(times: int | None) -> None:
    for _ in itertools.count() if times is None else range(times):
        print("document text " * 100)
        for output in (1, 2):
            with contextlib.suppress(BlockingIOError):
                os.write(output, b"document text " * 100)


def smuggle(target: str) -> Iterator[Page]:
    yield page_of(["nothing", "wrong", "here"])
    # After the last page the output is still open, and its place in the folder is free to be taken.
    [output] = (f"../out/{name}" for name in os.listdir("../out") if name.startswith("pages"))
    os.unlink(output)
    os.symlink(target, output)
