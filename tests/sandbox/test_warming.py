"""A child loads ahead only as much as its tasks have earned, and goes on if that fails."""

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest
from structlog.testing import capture_logs

from docsieve.errors import Unavailable
from docsieve.sandbox.pool import Sandbox
from docsieve.sandbox.task import TaskModule
from docsieve.sandbox.warming import Warming
from tests.sandbox import failing_tasks
from tests.sandbox.conftest import LIMITS
from tests.sandbox.hostile_tasks import Answer, Open, Seen
from tests.sandbox.test_tasks import ROOT


def _steps() -> Iterator[None]:
    for _ in range(2):
        end = time.process_time() + 0.01
        while time.process_time() < end:
            pass
        yield


def test_loading_ahead_takes_no_more_processor_time_than_the_tasks_have_taken() -> None:
    earned = 0.0
    warming = Warming(_steps(), lambda: earned, failed=print)

    assert warming.pays
    assert warming.step()
    assert not warming.pays
    earned = 60.0
    assert warming.pays
    assert warming.step()
    assert not warming.step()


@pytest.mark.process
async def test_what_a_child_could_not_load_is_logged_and_its_tasks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with capture_logs() as lines:
        async with Sandbox(LIMITS, tasks=failing_tasks, children=1) as sandbox:
            while not lines:
                assert await sandbox.run(Answer("sound")) == Seen("sound")
            assert await sandbox.run(Open("nothing")) == Seen("refused")

    failed = [(line["step"], line["kind"], line["detail"]) for line in lines]
    assert failed == [("warm up", "ValueError", "no such font"), ("prepare Open", "OSError", "no room")]
    assert lines[0]["places"].endswith("tests.sandbox.failing_tasks.warm_up > tests.sandbox.failing_tasks._load_fonts")


@pytest.mark.process
async def test_a_child_that_cannot_start_says_what_it_could_not_load() -> None:
    missing = cast(TaskModule, SimpleNamespace(__name__="docsieve.no_such_tasks"))
    async with Sandbox(LIMITS, tasks=missing, children=1) as sandbox:
        with pytest.raises(Unavailable, match=r"not be started \(load docsieve.no_such_tasks: ModuleNotFoundError\)"):
            await sandbox.run(Answer())
