"""What a zygote loads ahead is there to be loaded."""

from importlib import import_module
from pathlib import Path

import pytest

from docsieve.sandbox.warming import MODULES, warm_up


@pytest.mark.parametrize("module", MODULES)
def test_a_module_to_be_loaded_ahead_exists(module: str) -> None:
    assert import_module(module)


def test_samples_are_read_and_gone(tmp_path: Path) -> None:
    for _ in warm_up(tmp_path):
        pass

    assert list(tmp_path.iterdir()) == []
