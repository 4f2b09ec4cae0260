"""The list of commands."""

import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from docsieve.cli.main import COMMANDS, PARTS, Commands, app

LISTED = {**PARTS, **COMMANDS}


@pytest.fixture
def root() -> Commands:
    root = typer.main.get_command(app)
    assert isinstance(root, Commands)
    return root


@pytest.mark.parametrize("name", LISTED)
def test_the_list_shows_the_first_sentence_of_each_command_s_own_help(root: Commands, name: str) -> None:
    command = root.get_command(typer.Context(root), name)
    assert " ".join(command.help.split()).startswith(LISTED[name].summary)


def test_the_list_names_every_command() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    for name in [*LISTED, "version"]:
        assert f" {name} " in shown


def test_listing_the_commands_imports_none_of_them() -> None:
    code = (
        "import sys; from docsieve.cli.main import app; app(['--help'], standalone_mode=False);"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('httpx', 'asyncpg', 'numpy', 'fastapi')))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"
