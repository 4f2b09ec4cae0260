"""`pytest -p tests.processor_time`: the processor time of each test file, with all processes that it started.

Wall time says little on a busy machine, and most of a run's work is done in children. Those count once they ended and
were waited for; a shared PostgreSQL counts through its backends, which end with the test's database. It works with
`-n` too: each worker hands over what it counted when it ends. `PROCESSOR_TIME_TESTS=30` also lists single tests.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
_HANDED_OVER = "processor_time"

_seconds: dict[str, float] = defaultdict(float)
"""By the test's ID."""


def _spent() -> float:
    """Of this process, of its ended children, and of its living ones with those that ended below them."""
    below = {
        int(pid) for children in Path("/proc/self/task").glob("*/children") for pid in children.read_text().split()
    }
    return sum(os.times()[:4]) + sum(_spent_by(pid) for pid in below)


def _spent_by(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(int(field) for field in fields[11:15]) / _CLOCK_TICKS


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    before = _spent()
    result = yield
    _seconds[item.nodeid] += _spent() - before
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    handed_over: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if handed_over is not None:
        handed_over[_HANDED_OVER] = dict(_seconds)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    for test, seconds in getattr(node, "workeroutput", {}).get(_HANDED_OVER, {}).items():
        _seconds[test] += seconds


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    files: dict[str, list[float]] = defaultdict(list)
    for test, seconds in _seconds.items():
        files[test.partition("::")[0]].append(seconds)
    terminalreporter.section("processor seconds per file")
    for name, each in sorted(files.items(), key=lambda pair: -sum(pair[1])):
        terminalreporter.write_line(f"{sum(each):8.2f} {len(each):5} {name}")
    terminalreporter.write_line(f"{sum(_seconds.values()):8.2f} {len(_seconds):5} in all")
    for test in sorted(_seconds, key=lambda test: -_seconds[test])[: int(os.environ.get("PROCESSOR_TIME_TESTS", 0))]:
        terminalreporter.write_line(f"{_seconds[test]:8.2f} {test}")
