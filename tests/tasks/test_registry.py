"""What a child loads ahead exists, and every registered task can travel to a child and back."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from docsieve.sandbox.messages import adapter, result_type
from docsieve.sandbox.paths import has_paths
from docsieve.sandbox.task import Task
from docsieve.tasks.probe import ProbeLoading, ProbeOcr
from docsieve.tasks.read import ReadDocument
from docsieve.tasks.registry import MODULES, TASKS, prepare, warm_up


@pytest.mark.parametrize("module", MODULES)
def test_a_module_to_be_loaded_ahead_exists(module: str) -> None:
    assert import_module(module)


def test_samples_are_read_and_gone(tmp_path: Path) -> None:
    for _ in warm_up(tmp_path):
        pass

    assert list(tmp_path.iterdir()) == []


def test_a_child_that_is_loading_ahead_can_still_be_prepared(tmp_path: Path) -> None:
    loading = warm_up(tmp_path)
    while not list(tmp_path.iterdir()):
        next(loading)

    prepare(ReadDocument.__name__, tmp_path)

    assert len(list(tmp_path.iterdir())) == 1
    for _ in loading:
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", TASKS)
def test_a_child_is_prepared_for_any_kind_and_leaves_no_file(kind: type[Task[Any]], tmp_path: Path) -> None:
    prepare(kind.__name__, tmp_path)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", TASKS)
def test_a_task_and_its_result_can_be_sent_as_json(kind: type[Task[Any]]) -> None:
    assert adapter(kind).core_schema
    assert adapter(result_type(kind)).core_schema


@pytest.mark.parametrize("kind", TASKS)
def test_every_path_of_a_task_is_an_input_or_an_output(kind: type[Task[Any]]) -> None:
    """A task with any other path raises TypeError here."""
    assert has_paths(kind) is (kind not in (ProbeOcr, ProbeLoading))


def test_names_of_tasks_are_unique() -> None:
    assert len({kind.__name__ for kind in TASKS}) == len(TASKS)
