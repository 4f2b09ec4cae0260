"""Nothing leaves the machine unless somebody asked for it: no telemetry, no download."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.namespaces import obstacle
from tests.service import start_bound

OBSTACLE = obstacle("--net")


@pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")
def test_reading_a_scan_and_extracting_from_it_attempts_no_connection_to_the_outside(open_folder: Path) -> None:
    folder = open_folder / "outgoing"
    folder.mkdir()

    command = ["unshare", "--net", sys.executable, "-m", "tests.outgoing", str(folder)]
    with start_bound(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, text=True) as running:
        said, _ = running.communicate()

    assert running.returncode == 0
    found = json.loads(said.splitlines()[-1])
    assert found["fields"] and found["lines"] > 5
    assert found["attempted"] == []
    assert found["refused"] == "ConnectionRefusedError"
