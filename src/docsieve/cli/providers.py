"""`docsieve providers`: show and change the rate limits of providers' models, which all workers share."""

from typing import Annotated

import typer

from docsieve.cli.console.options import AsJson, print_json
from docsieve.cli.console.tables import show_empty, show_fields, show_table
from docsieve.cli.server import operator
from docsieve.db.connection.session import Database
from docsieve.db.providers import limits
from docsieve.db.providers.limits import ProviderLimits
from docsieve.errors import NotFound
from docsieve.services.providers.limits import LimitsBody, LimitsRead

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Manage provider limits, which all workers of this database share."
)

Name = Annotated[str, typer.Argument(help="Provider and model, such as openai:gpt-4o-mini.")]
Concurrency = Annotated[int, typer.Option(help="Maximum number of concurrent calls.")]
Requests = Annotated[
    int | None, typer.Option("--rpm", help="Maximum number of requests per minute. Defaults to no limit.")
]
Tokens = Annotated[int | None, typer.Option("--tpm", help="Maximum number of tokens per minute. Defaults to no limit.")]


@app.command("list")
def list_providers(as_json: AsJson = False) -> None:
    """List all providers that have been called or have limits."""

    async def work(database: Database) -> list[ProviderLimits]:
        async with database.system() as connection:
            return await limits.list_all(connection)

    found = operator.run(work)
    if as_json:
        return print_json(map(LimitsRead.model_validate, found))
    if not found:
        return show_empty("providers yet; a provider is listed after its first call")
    return show_table(
        ["name", "in use", "at most", "rpm", "tpm", "breaker", "until"],
        [
            (
                each.name,
                each.in_use,
                each.concurrency,
                each.requests_per_minute,
                each.tokens_per_minute,
                "waiting" if each.blocked_until is not None else each.breaker,
                each.blocked_until or each.open_until,
            )
            for each in found
        ],
        whole=["name"],
    )


@app.command("set")
def set_provider(name: Name, concurrency: Concurrency = 16, rpm: Requests = None, tpm: Tokens = None) -> None:
    """Set the limits of a model for new calls."""
    wanted = operator.checked(
        LimitsBody, name=name, concurrency=concurrency, requests_per_minute=rpm, tokens_per_minute=tpm
    )

    async def work(database: Database) -> ProviderLimits:
        async with database.system() as connection:
            return await limits.set_limits(
                connection,
                wanted.name,
                concurrency=wanted.concurrency,
                requests_per_minute=wanted.requests_per_minute,
                tokens_per_minute=wanted.tokens_per_minute,
            )

    _show(operator.run(work))


@app.command("reset")
def reset_provider(name: Name) -> None:
    """Close the circuit breaker and clear any wait, so that the next call is made immediately."""

    async def work(database: Database) -> None:
        async with database.system() as connection:
            if not await limits.close_breaker(connection, name):
                raise NotFound(f"Provider {name} has not been called yet.")

    operator.run(work)


def _show(limits: ProviderLimits) -> None:
    show_fields(
        {
            "name": limits.name,
            "at most": limits.concurrency,
            "rpm": limits.requests_per_minute,
            "tpm": limits.tokens_per_minute,
            "breaker": limits.breaker,
        }
    )
