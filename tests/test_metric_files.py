"""Metrics that several real processes share through files."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docsieve import metric_files

PROCESS = """
import sys
from pathlib import Path
from prometheus_client import Counter, Gauge, Info
from docsieve.metric_files import publish

Counter("docsieve_test_work", "Work done", ["kind"]).labels("a").inc(int(sys.argv[2]))
Gauge("docsieve_test_backend", "Processes by backend", ["backend"]).labels(sys.argv[3]).set(1)
Info("docsieve_test_build", "What was built").info({"version": "1"})
publish(Path(sys.argv[1]))
print("published", flush=True)
sys.stdin.read()
"""


@contextmanager
def process(folder: Path, work: int, backend: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", PROCESS, str(folder), str(work), backend]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None and started.stdout.readline() == "published\n"
        try:
            yield started
        finally:
            started.kill()


def gathered(folder: Path) -> dict[str, dict[tuple[str, ...], float]]:
    families = metric_files.gather(folder)
    assert len({family.name for family in families}) == len(families)
    return {
        family.name: {tuple(sample.labels.values()): sample.value for sample in family.samples} for family in families
    }


def test_counters_outlive_their_process_and_gauges_do_not(tmp_path: Path) -> None:
    with process(tmp_path, 2, "fast"), process(tmp_path, 3, "fast"):
        with process(tmp_path, 4, "slow"):
            found = gathered(tmp_path)
            assert found["docsieve_test_work"] == {("a",): 9}
            assert found["docsieve_test_backend"] == {("fast",): 2, ("slow",): 1}
            assert found["docsieve_test_build_info"] == {("1",): 3}
        found = gathered(tmp_path)
        assert found["docsieve_test_work"] == {("a",): 9}
        assert found["docsieve_test_backend"] == {("fast",): 2}
    assert "docsieve_test_backend" not in gathered(tmp_path)
