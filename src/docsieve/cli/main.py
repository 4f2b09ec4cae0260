"""`docsieve`: the list of commands and the modules they are in."""

from importlib import import_module
from typing import Any

import typer

from docsieve import __version__
from docsieve.cli.console.failures import ReportingGroup

# The parts of a server: the module whose function of the same name runs them.
PARTS = {"up": "server.up", "api": "server.serve", "worker": "server.serve", "migrate": "server.serve"}
# All other commands: the module whose `app` they are.
COMMANDS = {
    "extract": "extract.command",
    "eval": "extract.evaluate",
    "submit": "submit.command",
    "search": "search",
    "extractions": "extractions",
    "jobs": "jobs",
    "tenants": "server.tenants",
    "projects": "projects",
    "schemas": "schemas",
    "prompts": "prompts",
    "classes": "classes",
    "providers": "providers",
    "keys": "server.keys",
    "link": "server.link",
    "doctor": "doctor.command",
    "openapi": "openapi",
}


class Commands(ReportingGroup):
    """Imports a command when it is called: none needs what the others do, such as an HTTP client or all of a worker."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*PARTS, *super().list_commands(ctx), *COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in PARTS:
            part = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
            part.command(cmd_name)(getattr(import_module(f"docsieve.cli.{PARTS[cmd_name]}"), cmd_name))
            return typer.main.get_command(part)
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command = typer.main.get_command(import_module(f"docsieve.cli.{COMMANDS[cmd_name]}").app)
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
