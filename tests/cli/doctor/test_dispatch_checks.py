"""What `docsieve doctor` says about Redis."""

import sys

import pytest
from pydantic import SecretStr

from docsieve.cli.doctor.dispatch_checks import examine
from docsieve.settings import Settings
from tests.redis_server import RedisServer


def configured(url: str) -> Settings:
    return Settings(redis_url=SecretStr(url))


def test_without_redis_nothing_is_said() -> None:
    assert examine(Settings()) == []


def test_a_redis_that_responds_is_fine_and_its_messages_are_counted(redis: RedisServer) -> None:
    redis.client.zadd("arq:zip_queue", {"a": 1, "b": 2})
    [finding] = examine(configured(redis.url))
    assert (finding.level, finding.reason) == ("ok", "responds; 2 messages wait for workers")


def test_a_redis_that_does_not_respond_is_a_warning_because_jobs_are_run_all_the_same() -> None:
    [finding] = examine(configured("redis://127.0.0.1:1/0"))
    assert finding.level == "warning"
    assert "workers claim jobs from PostgreSQL" in finding.reason


def test_a_malformed_address_is_a_problem_and_is_not_shown_as_it_may_hold_a_password() -> None:
    [finding] = examine(configured("http://:secret@redis.example"))
    assert finding.level == "problem"
    assert "DOCSIEVE_REDIS_URL must be" in finding.reason and "secret" not in finding.reason


def test_redis_without_arq_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docsieve.queue.redis.connection", None)
    [finding] = examine(configured("redis://127.0.0.1:1/0"))
    assert (finding.level, "docsieve[redis]" in finding.reason) == ("problem", True)
