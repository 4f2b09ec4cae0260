"""`docsieve webhooks`: receive webhooks."""

import typer

from docsieve.cli.webhooks.listen import listen

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Receive webhooks on this machine.")
app.command("listen")(listen)


@app.callback()
def webhooks() -> None:
    # Without a callback, Typer would turn an app with a single command into that command.
    pass
