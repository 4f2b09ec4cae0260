"""What a parser cannot see from inside."""

import ctypes
import os
import socket

import pytest

from docsieve.sandbox.pool import Sandbox
from tests.sandbox.conftest import Poison, first_page_text

_CLONE_NEWNET = 0x4000_0000
_CLONE_NEWPID = 0x2000_0000
_CLONE_NEWNS = 0x0002_0000


def _kernel_grants_namespaces() -> bool:
    probe = os.fork()
    if probe == 0:
        granted = ctypes.CDLL(None).unshare(_CLONE_NEWNET | _CLONE_NEWPID | _CLONE_NEWNS) == 0
        os._exit(0 if granted else 1)
    return os.waitstatus_to_exitcode(os.waitpid(probe, 0)[1]) == 0


needs_namespaces = pytest.mark.skipif(not _kernel_grants_namespaces(), reason="the kernel grants no namespaces here")


async def test_the_environment_of_a_parser_holds_no_setting_of_ours(
    sandbox: Sandbox, poison: Poison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCSIEVE_SECRET_KEY", "sk-live-4242")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "sk-live-4242")
    arguments = poison("env")

    await sandbox.run("read_document", arguments)

    names = set(first_page_text(arguments).split())
    allowed = {"PATH", "LANG", "TZ", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "HOME", "TMPDIR"}
    assert {name for name in names if not name.startswith("LC_")} <= allowed


@needs_namespaces
async def test_a_parser_reaches_no_network(sandbox: Sandbox, poison: Poison) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        arguments = poison(f"network {listener.getsockname()[1]}")

        await sandbox.run("read_document", arguments)

    assert first_page_text(arguments) == "refused"


@needs_namespaces
async def test_a_parser_cannot_read_the_environment_of_the_worker(sandbox: Sandbox, poison: Poison) -> None:
    arguments = poison(f"secrets {os.getpid()}")

    await sandbox.run("read_document", arguments)

    assert first_page_text(arguments) == "hidden"
