"""`docsieve`: one file a command."""

import typer

from docsieve import __version__
from docsieve.cli import serve, up

app = typer.Typer(
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
