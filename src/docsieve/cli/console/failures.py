"""How a command fails: with one line on stderr and an exit code, without a traceback."""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from docsieve.domain.text import clean, visible
from docsieve.errors import DocsieveError
from docsieve.errors.providers import PricesInvalid
from docsieve.errors.setup import NotSetUp

FAILED = 1
NOT_SET_UP = 2


def complain(error: DocsieveError, *, about: str | None = None) -> None:
    about = f"{about}: " if about is not None else ""
    print(visible(clean(f"{about}{error.code}: {error.detail}")), file=sys.stderr)


class ReportingGroup(TyperGroup):
    """The root of all commands, which reports our errors."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except DocsieveError as error:
            complain(error)
            raise typer.Exit(NOT_SET_UP if isinstance(error, NotSetUp | PricesInvalid) else FAILED) from error
