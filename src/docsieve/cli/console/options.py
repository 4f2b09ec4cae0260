"""Options that several commands share."""

import json
from collections.abc import Iterable
from typing import Annotated

import typer
from pydantic import BaseModel

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
OfTenant = Annotated[str, typer.Option("--tenant", help="whose")]


def print_json(rows: Iterable[BaseModel]) -> None:
    print(json.dumps([row.model_dump(mode="json") for row in rows], indent=2))
