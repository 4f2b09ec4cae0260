"""How a command ends when it cannot do what was asked: one line on stderr and an exit code, never a traceback."""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from docsieve.domain.text import clean, visible
from docsieve.errors import DocsieveError
from docsieve.llm.prices import PricesInvalid

FAILED = 1
NOT_SET_UP = 2


class NotSetUp(DocsieveError):
    """Something has to be set or started first; the command itself was not tried."""

    code = "not_set_up"


def complain(error: DocsieveError, *, about: str | None = None) -> None:
    about = f"{about}: " if about is not None else ""
    print(visible(clean(f"{about}{error.code}: {error.detail}")), file=sys.stderr)


class ReportingGroup(TyperGroup):
    """The root of all commands; what any of them raises of ours ends here."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except DocsieveError as error:
            complain(error)
            raise typer.Exit(NOT_SET_UP if isinstance(error, NotSetUp | PricesInvalid) else FAILED) from error
