"""`docsieve providers`, on the database without any key."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., "subprocess.CompletedProcess[str]"]

_RUN = "from docsieve.cli.console.failures import ReportingGroup; from docsieve.cli.providers import app; app()"


@pytest.fixture
def providers(database_url: str, tmp_path: Path) -> Command:
    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        settings = {"DOCSIEVE_DATABASE_URL": database_url, "DOCSIEVE_DATA_DIR": str(tmp_path)}
        return subprocess.run(
            [sys.executable, "-c", _RUN, *arguments], env={**os.environ, **settings}, capture_output=True, text=True
        )

    return run


def test_limits_are_set_listed_and_reset(providers: Command) -> None:
    assert "There are no providers" in providers("list").stdout
    shown = providers("set", "openai:gpt-4o-mini", "--concurrency", "8", "--rpm", "500", "--tpm", "200000")
    assert shown.returncode == 0, shown.stderr
    assert "200000" in shown.stdout
    (listed,) = json.loads(providers("list", "--json").stdout)
    assert listed["name"] == "openai:gpt-4o-mini"
    assert (listed["concurrency"], listed["requests_per_minute"], listed["tokens_per_minute"]) == (8, 500, 200000)
    assert (listed["breaker"], listed["in_use"]) == ("closed", 0)
    assert "openai:gpt-4o-mini" in providers("list").stdout
    assert providers("reset", "openai:gpt-4o-mini").returncode == 0
    assert "was asked yet" in providers("reset", "openai:another").stderr


def test_limits_that_make_no_sense_are_refused(providers: Command) -> None:
    for wrong in (["no-colon"], ["openai:m", "--concurrency", "0"], ["openai:m", "--rpm", "-1"]):
        assert providers("set", *wrong).returncode != 0
    assert json.loads(providers("list", "--json").stdout) == []
