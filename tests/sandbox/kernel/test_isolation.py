"""What a parser cannot see from inside."""

import asyncio
import ctypes
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from docsieve import faults
from docsieve.db.server.account import account_of
from docsieve.sandbox.pool import Sandbox
from tests.sandbox.conftest import Poison, first_page_text, open_sandbox

_CLONE_NEWNET = 0x4000_0000
_CLONE_NEWPID = 0x2000_0000
_CLONE_NEWNS = 0x0002_0000


def _kernel_grants_namespaces() -> bool:
    probe = os.fork()
    if probe == 0:
        granted = ctypes.CDLL(None).unshare(_CLONE_NEWNET | _CLONE_NEWPID | _CLONE_NEWNS) == 0
        os._exit(0 if granted else 1)
    return os.waitstatus_to_exitcode(os.waitpid(probe, 0)[1]) == 0


def _kernel_has_landlock() -> bool:
    return bool(ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) > 0)


as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
needs_landlock = pytest.mark.skipif(not _kernel_has_landlock(), reason="the kernel has no Landlock here")
needs_namespaces = pytest.mark.skipif(not _kernel_grants_namespaces(), reason="the kernel grants no namespaces here")


async def test_the_environment_of_a_parser_holds_no_setting_of_ours(
    sandbox: Sandbox, poison: Poison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCSIEVE_SECRET_KEY", "sk-live-4242")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "sk-live-4242")
    task = poison("env")

    await sandbox.run(task)

    names = set(first_page_text(task).split())
    allowed = {"PATH", "LANG", "TZ", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "HOME", "TMPDIR", faults.VARIABLE}
    tuning = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TOKENIZERS_PARALLELISM", "MALLOC_ARENA_MAX"}
    assert {name for name in names if not name.startswith("LC_")} <= allowed | tuning


async def test_a_parser_reaches_no_network(sandbox: Sandbox, poison: Poison) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        task = poison(f"network {listener.getsockname()[1]}")

        await sandbox.run(task)

    assert first_page_text(task) == "refused"


async def test_a_parser_reaches_no_socket_in_the_file_system(
    sandbox: Sandbox, poison: Poison, open_place: Path
) -> None:
    path = open_place / "database.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        path.chmod(0o777)
        task = poison(f"socket {path}")

        await sandbox.run(task)

    assert first_page_text(task) == "refused"


@needs_landlock
async def test_a_parser_cannot_read_what_everybody_may_but_is_not_its_document(
    sandbox: Sandbox, poison: Poison, open_place: Path
) -> None:
    secret = open_place / "secret.key"
    secret.write_text("sk-live-4242")
    task = poison(f"read {secret}")

    await sandbox.run(task)

    assert first_page_text(task) == "hidden"


@needs_landlock
async def test_a_parser_writes_nothing_outside_its_folder(sandbox: Sandbox, poison: Poison, open_place: Path) -> None:
    open_place.chmod(0o777)
    for path in (open_place / "note", "/dev/shm/docsieve-note", "/tmp/docsieve-note", "../note", "../in/source-1"):
        task = poison(f"write {path}")
        await sandbox.run(task)
        assert first_page_text(task) == "refused"
    task = poison("write note")
    await sandbox.run(task)
    assert first_page_text(task) == "written"


@as_root
async def test_a_child_of_root_is_a_separate_user_without_groups_and_capabilities(poison: Poison) -> None:
    async with open_sandbox(children=2) as sandbox:
        both = [poison("identity"), poison("identity")]
        await asyncio.gather(*(sandbox.run(task) for task in both))

    identities = [first_page_text(task).split() for task in both]
    for user, group, other_groups, capabilities in identities:
        assert int(user) > 60_000
        assert (group, other_groups, capabilities) == (user, "0", "0")
    assert account_of(Path("/nonexistent")).uid not in {int(identity[0]) for identity in identities}


@as_root
async def test_what_only_root_may_read_reaches_a_child_as_its_document_alone(poison: Poison, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    task, other = poison("ok"), poison("ok")
    for path in (task.source, other.source):
        path.chmod(0o600)
    peek = poison(f"read {other.source}")
    async with open_sandbox(folder=tmp_path) as sandbox:
        await sandbox.run(task)
        await sandbox.run(peek)

    assert first_page_text(task) == "nothing wrong here"
    assert first_page_text(peek) == "hidden"
    assert task.source.stat().st_uid == 0


async def test_nothing_of_a_document_is_left_for_the_next(poison: Poison) -> None:
    async with open_sandbox() as sandbox:
        for what in ("write note", "write ../out/note"):
            task = poison(what)
            await sandbox.run(task)
            assert first_page_text(task) == "written"
            task = poison(what.replace("write", "read"))
            await sandbox.run(task)
            assert first_page_text(task) == "hidden"


def test_the_filter_of_calls_alone_refuses_sockets_namespaces_and_tracing() -> None:
    """In a process that has left no namespace, as where the kernel grants none."""
    attempt = """
import ctypes, os, socket, subprocess, sys, threading
from docsieve.sandbox.kernel import isolation
from docsieve.sandbox.kernel import seccomp
isolation.gain_no_privileges()
assert seccomp.filter_calls()
libc = ctypes.CDLL(None, use_errno=True)
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
    try:
        socket.socket(family)
    except PermissionError:
        continue
    sys.exit(f"a socket of {family}")
assert libc.unshare(0x10000000) == -1 and ctypes.get_errno() == 1
assert libc.ptrace(0, 0, 0, 0) == -1 and ctypes.get_errno() == 1
assert libc.mount(b"", b"/", b"", 0, 0) == -1 and ctypes.get_errno() == 1
thread = threading.Thread(target=print); thread.start(); thread.join()
assert subprocess.run(["/bin/true"]).returncode == 0
a, b = socket.socketpair(); a.send(b"x"); assert b.recv(1) == b"x"
"""
    ended = subprocess.run([sys.executable, "-c", attempt], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


@needs_namespaces
async def test_a_parser_cannot_read_the_environment_of_the_worker(sandbox: Sandbox, poison: Poison) -> None:
    task = poison(f"secrets {os.getpid()}")

    await sandbox.run(task)

    assert first_page_text(task) == "hidden"
