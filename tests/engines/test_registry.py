"""Which local engines a process has, and what happens when an installed one is broken."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from docsieve.cli.doctor import machine_checks
from docsieve.engines import registry
from docsieve.errors.extractions import UnknownEngine
from docsieve.pipelines.engines import registry as runnable
from docsieve.pipelines.engines.registry import engine_named


class CountedEntryPoint(EntryPoint):
    loads = 0

    def load(self) -> object:
        type(self).loads += 1
        return super().load()


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[CountedEntryPoint]]:
    """An installed package whose engine cannot be imported."""
    entry = CountedEntryPoint("shaky", "docsieve_is_not_installed:Shaky", registry.ENTRY_POINT_GROUP)
    CountedEntryPoint.loads = 0
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    registry.found_engines.cache_clear()
    runnable.engines.cache_clear()
    yield CountedEntryPoint
    registry.found_engines.cache_clear()
    runnable.engines.cache_clear()


def test_an_engine_that_cannot_be_imported_is_tried_once_and_the_others_work(broken: type[CountedEntryPoint]) -> None:
    for _ in range(3):
        assert engine_named("local").about.name == "local"
        with pytest.raises(UnknownEngine, match="installed but cannot be loaded"):
            engine_named("shaky")
    assert broken.loads == 1


@pytest.mark.usefixtures("broken")
def test_doctor_reports_an_engine_that_cannot_be_imported() -> None:
    finding = machine_checks.engines()
    assert finding.level == "problem"
    assert "shaky: ModuleNotFoundError" in finding.reason
