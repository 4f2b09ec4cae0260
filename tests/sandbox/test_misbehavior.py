"""Every kind of misbehavior has its own error, and other documents are not affected."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest
from docsieve_poison import SECRET

from docsieve.domain.pages.page import Progress
from docsieve.errors import (
    AttemptError,
    CorruptDocument,
    DocsieveError,
    OutOfMemory,
    OutputTooLarge,
    ParserCrashed,
    ParserTimeout,
)
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks.read import ReadDocument, ReadSummary
from tests.sandbox.conftest import (
    LIMITS,
    PROCESSES_OF_A_CHILD,
    Poison,
    descendants,
    first_page_text,
    open_sandbox,
    until_processes,
)


async def outcome(sandbox: Sandbox, task: ReadDocument) -> DocsieveError | ReadSummary:
    try:
        return await sandbox.run(task)
    except DocsieveError as error:
        return error


@pytest.mark.parametrize(
    ("what", "error", "detail"),
    [
        ("segfault", ParserCrashed, "signal 11"),
        ("exit", ParserCrashed, "status 3"),
        ("error", ParserCrashed, "RuntimeError"),
        ("alloc", OutOfMemory, "memory"),
        ("grow", OutOfMemory, "memory"),
        ("hoard", OutOfMemory, "memory"),
        ("fill", OutputTooLarge, "output"),
        ("litter", OutputTooLarge, "output"),
        ("ghosts", OutputTooLarge, "output"),
        ("files", OutputTooLarge, "output"),
        ("smuggle /etc/hostname", ParserCrashed, "replaced a shared file"),
        ("unheard-of", CorruptDocument, "unheard-of"),
    ],
)
async def test_a_poison_document_gets_its_named_error_while_healthy_ones_succeed(
    sandbox: Sandbox, poison: Poison, what: str, error: type[DocsieveError], detail: str
) -> None:
    healthy = poison("ok")

    bad, good = await asyncio.gather(outcome(sandbox, poison(what)), outcome(sandbox, healthy))

    assert type(bad) is error
    assert detail in bad.detail
    assert isinstance(good, ReadSummary)
    assert first_page_text(healthy) == "nothing wrong here"


@pytest.mark.parametrize("what", ["sleep", "stubborn", "hang", "regex", "flood", "fork", "bomb"])
async def test_a_document_that_takes_too_long_is_stopped_by_the_wall_clock_and_its_neighbor_is_not(
    poison: Poison, what: str
) -> None:
    before = descendants(os.getpid())
    healthy = poison("ok")
    async with open_sandbox(replace(LIMITS, wall_seconds=2)) as sandbox, open_sandbox() as other:
        bad, good = await asyncio.gather(outcome(sandbox, poison(what)), outcome(other, healthy))

    assert type(bad) is ParserTimeout
    assert "longer than 2 s" in bad.detail
    assert isinstance(good, ReadSummary)
    await until_processes(lambda: descendants(os.getpid()).keys() == before.keys())


async def test_a_document_that_starts_processes_without_end_soon_gets_no_more(poison: Poison) -> None:
    if os.getuid() != 0:
        pytest.skip("processes are counted for each child only where it has a separate user or namespace")
    allowed = replace(LIMITS, processes=20, wall_seconds=60)
    before = descendants(os.getpid()).keys()

    def started() -> int:
        return len(descendants(os.getpid()).keys() - before)

    async with open_sandbox(allowed) as sandbox:
        running = asyncio.create_task(outcome(sandbox, poison("bomb")))
        async with asyncio.timeout(60):
            while started() <= 10:
                await asyncio.sleep(0.01)
        seen = []
        for _ in range(20):
            seen.append(started())
            await asyncio.sleep(0.05)
        running.cancel()
        await asyncio.wait([running])

    assert max(seen) <= 20 + 4 * (os.cpu_count() or 1) + PROCESSES_OF_A_CHILD


async def test_a_document_that_uses_too_much_cpu_is_stopped_before_the_wall_clock(poison: Poison) -> None:
    async with open_sandbox(replace(LIMITS, cpu_seconds=1)) as sandbox:
        with pytest.raises(ParserTimeout, match="CPU"):
            await sandbox.run(poison("hang"))


@pytest.mark.parametrize("what, limits", [("slow 120", {"wall_seconds": 5}), ("busy 4", {"cpu_seconds": 1})])
async def test_the_time_limits_begin_again_with_each_page(poison: Poison, what: str, limits: dict[str, int]) -> None:
    async with open_sandbox(replace(LIMITS, **limits)) as sandbox:
        summary = await sandbox.run(poison(what))

    assert summary.pages.page_count == int(what.split()[1])


async def test_the_message_of_a_foreign_exception_stays_in_the_child(sandbox: Sandbox, poison: Poison) -> None:
    with pytest.raises(ParserCrashed) as raised:
        await sandbox.run(poison("error"))

    assert SECRET not in raised.value.detail


async def test_what_a_parser_prints_goes_nowhere_and_does_not_stop_it(
    sandbox: Sandbox, poison: Poison, capfd: pytest.CaptureFixture[str]
) -> None:
    task = poison("babble")

    await sandbox.run(task)

    assert first_page_text(task) == "nothing wrong here"
    assert capfd.readouterr() == ("", "")


async def test_a_flaky_document_fails_and_then_succeeds(sandbox: Sandbox, poison: Poison, open_place: Path) -> None:
    task = poison(f"flaky {open_place / 'passes'}")

    outcomes = [await outcome(sandbox, task), await outcome(sandbox, task)]
    Path(open_place, "passes").touch()
    outcomes.append(await outcome(sandbox, task))

    assert [type(result) for result in outcomes] == [AttemptError, AttemptError, ReadSummary]


async def test_progress_is_reported_up_to_the_last_page(sandbox: Sandbox, poison: Poison) -> None:
    seen: list[Progress] = []

    result = await sandbox.run(poison("slow 8"), on_progress=seen.append)

    assert result.pages.page_count == 8
    assert seen[0] == Progress("reading", 0, 8)
    assert seen[-1] == Progress("reading", 8, 8)
    assert len(seen) > 2
