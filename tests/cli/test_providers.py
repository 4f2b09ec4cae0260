"""`docsieve providers`, on the database without any key."""

import os
from pathlib import Path

import pytest

from tests.cli.terminal import CommandLine, Ran


class Providers(CommandLine):
    def __call__(self, *arguments: object, stdin: str = "", **settings: str) -> Ran:
        return super().__call__("providers", *arguments, stdin=stdin, **settings)


@pytest.fixture
def providers(database_url: str, tmp_path: Path) -> Providers:
    return Providers({**os.environ, "DOCSIEVE_DATABASE_URL": database_url, "DOCSIEVE_DATA_DIR": str(tmp_path)})


def test_limits_are_set_listed_and_reset(providers: Providers) -> None:
    assert "There are no providers" in providers("list").out
    shown = providers("set", "openai:gpt-4o-mini", "--concurrency", "8", "--rpm", "500", "--tpm", "200000")
    assert shown.code == 0, shown.err
    assert "200000" in shown.out
    (listed,) = providers("list", "--json").json()
    assert listed["name"] == "openai:gpt-4o-mini"
    assert (listed["concurrency"], listed["requests_per_minute"], listed["tokens_per_minute"]) == (8, 500, 200000)
    assert (listed["breaker"], listed["in_use"]) == ("closed", 0)
    assert "openai:gpt-4o-mini" in providers("list").out
    assert providers("reset", "openai:gpt-4o-mini").code == 0
    assert "has not been called yet" in providers("reset", "openai:another").err


def test_limits_that_make_no_sense_are_refused(providers: Providers) -> None:
    for wrong in (["no-colon"], ["openai:m", "--concurrency", "0"], ["openai:m", "--rpm", "-1"]):
        assert providers("set", *wrong).code != 0
    assert providers("list", "--json").json() == []
