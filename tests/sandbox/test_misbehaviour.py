"""Every way to misbehave has its name, and nobody else notices."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from docsieve_poison import SECRET

from docsieve.domain.pages import Progress
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
from tests.sandbox.conftest import LIMITS, Poison, first_page_text


async def outcome(sandbox: Sandbox, arguments: dict[str, Any]) -> DocsieveError | dict[str, Any]:
    try:
        return await sandbox.run("read_document", arguments)
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
        ("fill", OutputTooLarge, "output"),
        ("unheard-of", CorruptDocument, "unheard-of"),
    ],
)
async def test_a_poison_document_gets_its_named_error_while_healthy_ones_beside_it_succeed(
    sandbox: Sandbox, poison: Poison, what: str, error: type[DocsieveError], detail: str
) -> None:
    healthy = poison("ok")

    bad, good = await asyncio.gather(outcome(sandbox, poison(what)), outcome(sandbox, healthy))

    assert type(bad) is error
    assert detail in bad.detail
    assert isinstance(good, dict)
    assert first_page_text(healthy) == "nothing wrong here"


@pytest.mark.parametrize("what", ["sleep", "hang", "fork"])
async def test_a_document_that_takes_too_long_is_stopped_by_the_wall_clock(poison: Poison, what: str) -> None:
    async with Sandbox(replace(LIMITS, wall_seconds=1), children=1) as sandbox:
        with pytest.raises(ParserTimeout, match="longer than 1 s"):
            await sandbox.run("read_document", poison(what))


async def test_a_document_that_uses_too_much_cpu_is_stopped_before_the_wall_clock(poison: Poison) -> None:
    async with Sandbox(replace(LIMITS, cpu_seconds=1), children=1) as sandbox:
        with pytest.raises(ParserTimeout, match="CPU"):
            await sandbox.run("read_document", poison("hang"))


async def test_the_message_of_a_foreign_exception_stays_in_the_child(sandbox: Sandbox, poison: Poison) -> None:
    with pytest.raises(ParserCrashed) as raised:
        await sandbox.run("read_document", poison("error"))

    assert SECRET not in raised.value.detail


async def test_what_a_parser_prints_goes_nowhere_and_does_not_stop_it(
    sandbox: Sandbox, poison: Poison, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = poison("babble")

    await sandbox.run("read_document", arguments)

    assert first_page_text(arguments) == "nothing wrong here"
    assert capfd.readouterr() == ("", "")


async def test_a_flaky_document_fails_twice_and_then_succeeds(sandbox: Sandbox, poison: Poison, tmp_path: Path) -> None:
    arguments = poison(f"flaky {tmp_path / 'counter'}")

    outcomes = [await outcome(sandbox, arguments) for _ in range(3)]

    assert [type(result) for result in outcomes] == [AttemptError, AttemptError, dict]


async def test_progress_is_reported_up_to_the_last_page(sandbox: Sandbox, poison: Poison) -> None:
    seen: list[Progress] = []

    result = await sandbox.run("read_document", poison("slow 8"), on_progress=seen.append)

    assert result["page_count"] == 8
    assert seen[0] == Progress("reading", 0, 8)
    assert seen[-1] == Progress("reading", 8, 8)
    assert len(seen) > 2
