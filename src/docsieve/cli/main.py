"""`docsieve`: the list of commands and the modules they are in."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from docsieve import __version__
from docsieve.cli.console.failures import ReportingGroup


@dataclass(frozen=True, slots=True)
class Command:
    """Where a command is, and the first sentence of its help, so that listing all commands imports none."""

    module: str
    summary: str


# The parts of a server: each is the function of the same name in its module.
PARTS = {
    "up": Command("server.up", "Run everything here: database (unless DOCSIEVE_DATABASE_URL is set), API and workers."),
    "api": Command("server.serve", "Serve the API on DOCSIEVE_HOST and DOCSIEVE_PORT."),
    "worker": Command("server.serve", "Work on the queue until SIGTERM."),
    "migrate": Command("server.serve", "Bring the database up to date; `up`, `api` and `worker` do this on their own."),
}
# All other commands: each is the `app` of its module.
COMMANDS = {
    "extract": Command("extract.command", "Extract fields from documents here, without a server."),
    "eval": Command("extract.evaluate", "Extract from every document of a set and compare with the truth."),
    "submit": Command(
        "submit.command", "Send documents to DOCSIEVE_URL; with --wait, exit 0 only if all could be read."
    ),
    "search": Command("search", "Best first: by words, by meaning, and with tolerance for misspelling."),
    "extractions": Command("extractions", "The extractions of your tenant, through the API at DOCSIEVE_URL."),
    "jobs": Command("jobs", "The jobs of your tenant, through the API at DOCSIEVE_URL."),
    "tenants": Command("server.tenants", "Tenants of this server, straight from its database."),
    "projects": Command("projects", "Projects of a tenant, straight from the database."),
    "schemas": Command("schemas", "Schemas of a tenant and the ready-made ones, from the database."),
    "prompts": Command("prompts", "Prompts of a tenant, straight from the database."),
    "classes": Command("classes", "Kinds of document, straight from the database."),
    "providers": Command("providers", "Limits of providers, shared by all workers of this database."),
    "keys": Command("server.keys", "API keys of a tenant, straight from the database."),
    "link": Command("server.link", "Print a link that signs a browser in, once, within ten minutes."),
    "doctor": Command(
        "doctor.command",
        "Check settings, database, queue, blob store, disk, API and OCR; exit 1 if something is wrong.",
    ),
    "openapi": Command("openapi", "Print the OpenAPI document of this version's API as JSON."),
}


class Commands(ReportingGroup):
    """Imports a command only when it is called: each needs much that the others do not."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*PARTS, *super().list_commands(ctx), *COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in PARTS:
            part = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
            part.command(cmd_name)(getattr(import_module(f"docsieve.cli.{PARTS[cmd_name].module}"), cmd_name))
            return typer.main.get_command(part)
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command = typer.main.get_command(import_module(f"docsieve.cli.{COMMANDS[cmd_name].module}").app)
        command.name = cmd_name
        return command

    def format_help(self, ctx: Any, formatter: Any) -> None:
        described = {**PARTS, **COMMANDS}
        listed = {
            name: self.commands.get(name) or TyperCommand(name, help=described[name].summary)
            for name in self.list_commands(ctx)
        }
        TyperGroup(
            name=self.name, help=self.help, params=self.params, commands=listed, rich_markup_mode=self.rich_markup_mode
        ).format_help(ctx, formatter)


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
