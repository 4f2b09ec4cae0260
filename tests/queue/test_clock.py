"""Ten worker processes and a schedule that is due every second: each tick is fired once, whoever is killed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import asyncpg
import pytest

from docsieve import faults
from tests.service import start_bound
from tests.signals import PipeSignals, ended, named

WORKERS = 10
STEPS = [step for step in faults.STEPS if step.startswith("schedule.")]

# The database itself writes down what was fired, so that nothing depends on what the workers report.
_LOG = """
create table fired (tick timestamptz not null);
create function log_tick() returns trigger language plpgsql as
    'begin insert into fired values (new.last_tick); return null; end';
create trigger log_tick after update of last_tick on schedules for each row execute function log_tick();
"""


class Clock:
    def __init__(self, database_url: str, signals: PipeSignals, stack: ExitStack) -> None:
        self._database_url = database_url
        self._signals = signals
        self._stack = stack

    def worker(self, *, dies_at: faults.Step | None = None) -> "subprocess.Popen[bytes]":
        environment = {**os.environ, faults.PIPE_VARIABLE: str(self._signals.path)}
        if dies_at is not None:
            environment[faults.VARIABLE] = dies_at
        process = start_bound([sys.executable, "-m", "tests.queue.ticking", self._database_url], env=environment)
        self._signals.watch(process.pid)
        self._stack.callback(self._stop, process)
        return process

    def _stop(self, process: "subprocess.Popen[bytes]") -> None:
        if process.poll() is None:
            process.terminate()
        process.wait(30)

    def wait_for_ticks(self, count: int) -> None:
        """That are reported. A worker that dies after its commit reports none."""
        self._signals.until(named("schedule.fired"), times=count, seconds=count + 90)

    def wait_for_end(self, process: "subprocess.Popen[bytes]") -> None:
        self._signals.until(ended(process.pid))
        assert process.wait(10) == -9


@contextmanager
def clock(database_url: str, folder: Path) -> Iterator[Clock]:
    with ExitStack() as stack:
        signals = PipeSignals(folder / "signals")
        stack.callback(signals.close)
        yield Clock(database_url, signals, stack)


async def _prepare(database_url: str) -> None:
    connection = await asyncpg.connect(database_url)
    await connection.execute(_LOG)
    await connection.close()


async def _check(database_url: str, *, killed: bool = False) -> list[datetime]:
    """Each tick was fired once, none is missing, and every job that it made has run once. Returns the ticks.

    A worker that was killed may have held a job, which is rescued when its lease ends.
    """
    connection = await asyncpg.connect(database_url)
    ticks = [row["tick"] for row in await connection.fetch("select tick from fired order by tick")]
    jobs = await connection.fetch("select status, attempts from jobs where job_type = 'tick'")
    await connection.close()
    # the first is the moment at which the schedule was registered, all others are whole seconds
    whole = ticks[1:]
    assert whole == [whole[0] + timedelta(seconds=place) for place in range(len(whole))]
    possible = {("completed", 1), ("pending", 0)} | ({("processing", 1)} if killed else set())
    assert {(row["status"], row["attempts"]) for row in jobs} <= possible
    assert len(jobs) == len(ticks)
    return ticks


@pytest.mark.parametrize("seconds", [5, pytest.param(60, marks=pytest.mark.slow)])
async def test_each_tick_is_fired_once_by_ten_workers(database_url: str, tmp_path: Path, seconds: int) -> None:
    await _prepare(database_url)
    with clock(database_url, tmp_path) as running:
        for _ in range(WORKERS):
            running.worker()
        running.wait_for_ticks(seconds + 1)
    assert len(await _check(database_url)) > seconds


@pytest.mark.parametrize("step", STEPS)
async def test_a_worker_killed_in_the_middle_of_a_tick_loses_none(
    database_url: str, tmp_path: Path, step: faults.Step
) -> None:
    await _prepare(database_url)
    with clock(database_url, tmp_path) as running:
        for _ in range(2):
            running.wait_for_end(running.worker(dies_at=step))
        running.worker()
        running.wait_for_ticks(3)
    assert len(await _check(database_url, killed=True)) >= 3
