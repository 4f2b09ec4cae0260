"""`pytest -p tests.processor_time`: the processor time of each test file, with all processes that it started.

Wall time says little on a busy machine, and most of a run's work is done in children. Those count once they ended and
were waited for; a shared PostgreSQL counts through its backends, which end with the test's database.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")

_seconds: dict[str, float] = defaultdict(float)
_tests: dict[str, int] = defaultdict(int)


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
    name = str(item.path.relative_to(item.config.rootpath))
    _seconds[name] += _spent() - before
    _tests[name] += 1
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.section("processor seconds per file")
    for name, seconds in sorted(_seconds.items(), key=lambda each: -each[1]):
        terminalreporter.write_line(f"{seconds:8.2f} {_tests[name]:5} {name}")
    terminalreporter.write_line(f"{sum(_seconds.values()):8.2f} {sum(_tests.values()):5} in all")
