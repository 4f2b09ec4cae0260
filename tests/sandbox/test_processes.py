"""Processes begin when needed and end when they must, with all they started."""

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import uvloop

from docsieve.errors import ParserCrashed, Unavailable
from docsieve.sandbox.pool import Sandbox
from tests.sandbox.conftest import (
    PROCESSES_OF_A_CHILD,
    PROCESSES_OF_AN_IDLE_CHILD,
    Poison,
    alive,
    descendants,
    open_sandbox,
    until_processes,
)
from tests.signals import wait_for_end


def below_us() -> dict[int, str]:
    return descendants(os.getpid())


async def test_cancelling_kills_the_child_with_its_grandchildren_and_the_pool_continues(poison: Poison) -> None:
    before = below_us()
    async with open_sandbox() as sandbox:
        running = asyncio.create_task(sandbox.run(poison("fork")))
        await until_processes(lambda: len(below_us().keys() - before.keys()) == PROCESSES_OF_A_CHILD + 2)
        started = {pid: born for pid, born in below_us().items() if pid not in before}

        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

        await asyncio.to_thread(wait_for_end, started)
        assert (await sandbox.run(poison("ok"))).pages.page_count == 1


async def test_grandchildren_do_not_outlive_a_crash(poison: Poison) -> None:
    before = below_us()
    async with open_sandbox() as sandbox:
        running = asyncio.create_task(sandbox.run(poison("fork")))
        await until_processes(lambda: len(below_us().keys() - before.keys()) == PROCESSES_OF_A_CHILD + 2)
        started = {pid: born for pid, born in below_us().items() if pid not in before}

        runner = _runner_of(started)
        os.kill(runner, signal.SIGSEGV)

        with pytest.raises(ParserCrashed, match="signal 11"):
            await running
        assert len(alive(started)) == PROCESSES_OF_AN_IDLE_CHILD


def _runner_of(processes: dict[int, str]) -> int:
    """The process that has two children."""
    return next(pid for pid in processes if len(descendants(pid)) == 2)


async def test_a_child_that_died_while_idle_is_replaced_silently(sandbox: Sandbox, poison: Poison) -> None:
    before = below_us().keys()
    await sandbox.run(poison("ok"))
    for pid in below_us().keys() - before:
        with suppress(ProcessLookupError):  # each may already have gone with another
            os.kill(pid, signal.SIGKILL)

    result = await sandbox.run(poison("ok"))

    assert result.pages.page_count == 1


async def test_no_more_children_run_than_allowed_and_none_is_started_before_it_is_needed(poison: Poison) -> None:
    before = below_us().keys()
    async with open_sandbox(children=2) as sandbox:
        assert below_us().keys() == before
        await asyncio.gather(*(sandbox.run(poison("slow 2")) for _ in range(6)))
        assert len(below_us().keys() - before) == 2 * PROCESSES_OF_AN_IDLE_CHILD

    await until_processes(lambda: below_us().keys() == before)


async def test_closing_ends_a_running_document_as_unavailable_rather_than_as_its_fault(poison: Poison) -> None:
    sandbox = open_sandbox()
    started = asyncio.Event()
    running = asyncio.create_task(sandbox.run(poison("slow 10000"), on_progress=lambda _: started.set()))
    await started.wait()

    await sandbox.close()

    with pytest.raises(Unavailable):
        await running
    with pytest.raises(Unavailable):
        await sandbox.run(poison("ok"))


async def test_a_child_that_was_starting_when_the_sandbox_closed_runs_nothing(poison: Poison) -> None:
    before = below_us().keys()
    sandbox = open_sandbox()
    running = asyncio.create_task(sandbox.run(poison("sleep")))
    await until_processes(lambda: below_us().keys() != before)

    await sandbox.close()

    assert below_us().keys() == before
    with pytest.raises(Unavailable):
        await running


WORKER = """
import asyncio, sys
from pathlib import Path
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks import registry
from docsieve.tasks.read import ReadDocument

async def main():
    async with Sandbox(Limits(memory_mb=512), tasks=registry, children=1) as sandbox:
        await sandbox.run(ReadDocument(Path(sys.argv[1]), Path(sys.argv[2]), "application/x-poison"))

asyncio.run(main())
"""


async def test_killing_the_worker_kills_its_children_and_removes_what_they_left(poison: Poison, tmp_path: Path) -> None:
    task = poison("fork")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    worker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", WORKER, str(task.source), str(task.pages)),
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    await until_processes(lambda: len(descendants(worker.pid)) == PROCESSES_OF_A_CHILD + 2)
    started = descendants(worker.pid)

    assert list(scratch.iterdir())

    worker.kill()
    await worker.wait()

    await asyncio.to_thread(wait_for_end, started)
    assert not list(scratch.iterdir())


def test_it_works_under_uvloop_as_well(poison: Poison) -> None:
    async def crash_cancel_and_succeed() -> int:
        async with open_sandbox() as sandbox:
            with pytest.raises(ParserCrashed):
                await sandbox.run(poison("segfault"))
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.5):
                    await sandbox.run(poison("sleep"))
            pages: int = (await sandbox.run(poison("ok"))).pages.page_count
            return pages

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(crash_cancel_and_succeed()) == 1
