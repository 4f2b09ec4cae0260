"""`docsieve`: one file a command."""

from importlib import import_module
from typing import Any

import typer

from docsieve import __version__
from docsieve.cli.failures import ReportingGroup

# The parts of a server, by the module that has the function of the same name.
PARTS = {"up": "up", "api": "serve", "worker": "serve", "migrate": "serve"}
LOADED_WHEN_CALLED = (
    "extract",
    "eval",
    "submit",
    "search",
    "extractions",
    "jobs",
    "tenants",
    "projects",
    "schemas",
    "prompts",
    "classes",
    "providers",
    "keys",
    "link",
    "doctor",
    "openapi",
)


class Commands(ReportingGroup):
    """No command has use for what the others need, an HTTP client or all of a worker, and starts sooner without."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*PARTS, *super().list_commands(ctx), *LOADED_WHEN_CALLED]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in PARTS:
            part = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
            part.command(cmd_name)(getattr(import_module(f"docsieve.cli.{PARTS[cmd_name]}"), cmd_name))
            return typer.main.get_command(part)
        if cmd_name not in LOADED_WHEN_CALLED:
            return super().get_command(ctx, cmd_name)
        command = typer.main.get_command(import_module(f"docsieve.cli.{cmd_name}").app)
        command.name = cmd_name
        return command


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    help="Documents in; pages, text and fields with their proof out. Settings are DOCSIEVE_* environment variables.",
)


@app.callback()
def commands() -> None:
    # Without one, an app of one command of its own would be that command.
    pass


@app.command()
def version() -> None:
    """Print the version."""
    print(__version__)
