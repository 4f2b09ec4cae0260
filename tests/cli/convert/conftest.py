"""The command line without settings, and with its own cache."""

import os
from pathlib import Path

import pytest

from tests.cli.terminal import CommandLine
from tests.service import is_setting


@pytest.fixture
def docsieve(tmp_path: Path) -> CommandLine:
    kept = {name: value for name, value in os.environ.items() if not is_setting(name)}
    (tmp_path / "tmp").mkdir()
    return CommandLine({**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "tmp")})
