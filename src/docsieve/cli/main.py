"""`docsieve`: one file a command."""

from importlib import import_module
from typing import Any

import typer

from docsieve import __version__
from docsieve.cli import serve, up
from docsieve.cli.failures import ReportingGroup

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
    """A worker has no use for what the other commands need, such as an HTTP client, and starts sooner without."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *LOADED_WHEN_CALLED]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
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
app.command("up")(up.up)
app.command("api")(serve.api)
app.command("worker")(serve.worker)
app.command("migrate")(serve.migrate)


@app.command()
def version() -> None:
    """Print the version."""
    print(__version__)
