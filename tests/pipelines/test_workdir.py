"""Work directories: leftovers of killed processes are removed, and never keep a process from starting."""

import os
import subprocess
from pathlib import Path

import pytest
from structlog.testing import CapturingLogger

from docsieve.pipelines.workdir import WorkDirs
from tests.trees import nest

# Process numbers are far smaller.
GONE = 2**22 + 1


def test_a_start_removes_a_deep_tree_that_was_left(tmp_path: Path) -> None:
    left = tmp_path / "tmp" / f"sandbox-{GONE}"
    left.mkdir(parents=True)
    nest(left)

    WorkDirs(tmp_path)

    assert not left.exists()


def test_a_start_goes_on_with_a_leftover_that_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = CapturingLogger()  # what is logged does not depend on how an earlier test configured logging
    monkeypatch.setattr("docsieve.pipelines.workdir.log", log)
    left = tmp_path / "tmp" / f"worker-{GONE}"
    left.mkdir(parents=True)
    if subprocess.run(["chattr", "+i", left], capture_output=True).returncode != 0:
        pytest.skip("no file can be made immutable here")
    try:
        workdirs = WorkDirs(tmp_path)

        assert workdirs.sandbox.is_dir()
        assert [(call.args, call.kwargs) for call in log.calls] == [(("folder_not_removed",), {"folder": str(left)})]
    finally:
        subprocess.run(["chattr", "-i", left], check=True)


@pytest.mark.parametrize("name", ["worker-of-somebody", "sandbox-", f"worker-{2**70}"])
def test_a_start_removes_what_only_looks_like_a_folder_of_ours(tmp_path: Path, name: str) -> None:
    (tmp_path / "tmp" / name).mkdir(parents=True)

    WorkDirs(tmp_path)

    assert not (tmp_path / "tmp" / name).exists()


def test_a_start_takes_over_the_folder_of_an_earlier_process_of_its_number(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / f"worker-{os.getpid()}").write_text("not even a folder")

    with WorkDirs(tmp_path).new() as work:
        assert work.path.is_dir()
