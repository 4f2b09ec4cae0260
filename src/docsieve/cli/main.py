"""`docsieve`: the list of commands and their modules."""

import gc
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from docsieve import __version__
from docsieve.cli.console.failures import ReportingGroup


@dataclass(frozen=True, slots=True)
class Command:
    """A command's module and the first sentence of its help, so that listing commands imports none."""

    module: str
    summary: str


# The parts of a server: each is the function of the same name in its module.
PARTS = {
    "up": Command(
        "server.up", "Run everything on this machine: database (unless DOCSIEVE_DATABASE_URL is set), API and workers."
    ),
    "api": Command(
        "server.serve", "Serve the API on DOCSIEVE_HOST and DOCSIEVE_PORT, with DOCSIEVE_API_PROCESSES processes."
    ),
    "worker": Command("server.serve", "Process jobs until SIGTERM."),
    "migrate": Command("server.serve", "Migrate the database."),
}
# All other commands: each is the `app` of its module.
COMMANDS = {
    "extract": Command("extract.command", "Extract fields from documents on this machine, without a server."),
    "convert": Command(
        "convert.command", "Convert documents to Markdown, HTML, JSON, text, CSV or searchable PDF, without a server."
    ),
    "redact": Command("convert.redact", "Write a copy of a document without some of its text, without a server."),
    "eval": Command(
        "extract.evaluate", "Extract from every document of a dataset and compare the values with the ground truth."
    ),
    "submit": Command("submit.command", "Upload documents to DOCSIEVE_URL."),
    "batch": Command("batch.command", "Extract from many documents at once through the API at DOCSIEVE_URL."),
    "search": Command("search", "Search by words, by meaning and with typo tolerance."),
    "extractions": Command("extractions", "Manage extractions through the API at DOCSIEVE_URL."),
    "jobs": Command("jobs", "Manage jobs through the API at DOCSIEVE_URL."),
    "maintenance": Command("maintenance", "Run maintenance tasks through the API at DOCSIEVE_URL."),
    "webhooks": Command("webhooks.command", "Manage webhooks through the API at DOCSIEVE_URL."),
    "tenants": Command("server.tenants", "Manage the tenants of this server directly in the database."),
    "projects": Command("projects", "Manage the projects of a tenant directly in the database."),
    "schemas": Command("schemas", "Manage the schemas of a tenant directly in the database."),
    "prompts": Command("prompts", "Manage the prompts of a tenant directly in the database."),
    "classes": Command("classes", "Manage document classes directly in the database."),
    "providers": Command("providers", "Manage provider limits, which all workers of this database share."),
    "keys": Command("server.keys", "Manage the API keys of a tenant directly in the database."),
    "encryption": Command(
        "server.encryption", "Show and rotate the keys that encrypt stored files, directly in the database."
    ),
    "backup": Command("backup.create", "Back up the database and all stored files while the server runs."),
    "restore": Command("backup.restore", "Restore a backup into an empty database, list backups, or verify one."),
    "audit": Command("audit", "List, export, verify and prune the audit log directly in the database."),
    "link": Command("server.link", "Print a link that signs in a browser once within ten minutes."),
    "doctor": Command(
        "doctor.command",
        "Check settings, database, queue, blob store, encryption, disk, API, sandbox, OCR and engines.",
    ),
    "openapi": Command("openapi", "Print the OpenAPI document of this version as JSON."),
}


def _load(command: Command) -> ModuleType:
    """Without garbage collections, which find nothing while modules load and take a tenth of the time."""
    gc.disable()
    try:
        return import_module(f"docsieve.cli.{command.module}")
    finally:
        gc.enable()


class Commands(ReportingGroup):
    """Imports a command only when it is called, because most need only a few of the dependencies."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*PARTS, *super().list_commands(ctx), *COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in PARTS:
            part = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
            part.command(cmd_name)(getattr(_load(PARTS[cmd_name]), cmd_name))
            return typer.main.get_command(part)
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command = typer.main.get_command(_load(COMMANDS[cmd_name]).app)
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
    help="Extract pages, text and fields from documents. Settings are DOCSIEVE_* environment variables.",
)


@app.callback()
def commands() -> None:
    # Without a callback, Typer would turn an app with a single command into that command.
    pass


@app.command()
def version() -> None:
    """Print the version."""
    print(__version__)
