"""What keeps a native crash from taking the whole test run along."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from docsieve import faults
from docsieve.sandbox.kernel.watch import descendants
from tests.native import in_child
from tests.signals import wait_for_end


def die(number: int) -> None:
    os.kill(os.getpid(), number)


def test_a_child_that_dies_fails_its_test_and_the_next_one_gets_another() -> None:
    first = in_child(os.getpid)
    with pytest.raises(AssertionError, match="died"):
        in_child(die, signal.SIGILL)

    assert in_child(os.getpid) not in (first, os.getpid())


def test_the_fault_for_ocr_is_a_real_illegal_instruction() -> None:
    dying = f"from docsieve import faults; faults.illegal_instruction({faults.OCR_STEP!r}); print('alive')"

    def run(**environment: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run([sys.executable, "-c", dying], env=environment, capture_output=True, check=False)

    assert run(DOCSIEVE_FAULT=faults.OCR_STEP).returncode == -signal.SIGILL
    assert run(DOCSIEVE_FAULT="job.read").stdout == run().stdout == b"alive\n"


OWNER = """
import sys, threading
from pathlib import Path
from tests.service import Service

service = Service(Path(sys.argv[1]), {"DOCSIEVE_DATABASE_URL": sys.argv[2]})
starting = threading.Thread(target=service.api)
starting.start()
starting.join()
print(service.processes[0].pid, flush=True)
sys.stdin.read()
"""


def test_a_service_ends_with_the_test_process_that_was_killed(tmp_path: Path, database_url: str) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path), database_url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[1],
    )
    try:
        assert owner.stdout is not None
        service = int(owner.stdout.readline())
        assert service in descendants(owner.pid)
    finally:
        owner.kill()
        owner.wait()

    wait_for_end([service], seconds=30)


RUN = """
import os, signal, sys
from types import SimpleNamespace
from tests.conftest import pytest_configure

if os.fork() == 0:
    pytest_configure(SimpleNamespace(workerinput={}))
    print(os.getpid(), flush=True)
signal.pause()
"""


def test_a_worker_of_the_test_run_ends_with_the_run_that_was_killed() -> None:
    run = subprocess.Popen([sys.executable, "-c", RUN], stdout=subprocess.PIPE, cwd=Path(__file__).parents[1])
    assert run.stdout is not None
    worker = int(run.stdout.readline())
    run.kill()
    run.wait()

    wait_for_end([worker], seconds=30)
