"""`docsieve`: one file a command."""

import typer

from docsieve import __version__
from docsieve.cli import doctor, jobs, keys, projects, serve, submit, tenants, up
from docsieve.cli.failures import ReportingGroup

app = typer.Typer(
    cls=ReportingGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    help="Documents in; pages, text and fields with their proof out. Settings are DOCSIEVE_* environment variables.",
)
app.command("up")(up.up)
app.command("api")(serve.api)
app.command("worker")(serve.worker)
app.command("migrate")(serve.migrate)
app.command("submit")(submit.submit)
app.add_typer(jobs.app, name="jobs")
app.add_typer(tenants.app, name="tenants")
app.add_typer(projects.app, name="projects")
app.add_typer(keys.app, name="keys")
app.command("doctor")(doctor.doctor)


@app.command()
def version() -> None:
    """Print the version."""
    print(__version__)
