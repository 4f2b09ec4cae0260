"""`docsieve openapi`: print the API description for client generators, such as the dashboard's."""

import json
from contextlib import AbstractAsyncContextManager

import typer

from docsieve.api.app import create_app
from docsieve.resources import Resources
from docsieve.settings import Settings

app = typer.Typer()


@app.command()
def openapi() -> None:
    """Print the OpenAPI document of this version as JSON."""
    described = create_app(Settings.from_environment(), _never_opened).openapi()
    typer.echo(json.dumps(described, indent=1, sort_keys=True, ensure_ascii=False))


def _never_opened() -> AbstractAsyncContextManager[Resources]:
    raise AssertionError("the description needs no resources")
