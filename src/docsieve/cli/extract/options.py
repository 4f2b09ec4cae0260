"""Options that `extract` and `eval` share."""

from pathlib import Path
from typing import Annotated

import typer

from docsieve.domain.prompts import check_template
from docsieve.domain.schemas.fields import Schema
from docsieve.errors import Invalid
from docsieve.evaluation.schemas import load_schema
from docsieve.offline.page_cache import default_cache

Engine = Annotated[str, typer.Option(help="local, llm, cascade, azure-document-intelligence, or an installed engine.")]
Model = Annotated[str | None, typer.Option(help="Model that the engine calls, such as openai:gpt-4o-mini.")]
Prompt = Annotated[
    Path | None,
    typer.Option(exists=True, dir_okay=False, help="Text file with the system prompt for language models."),
]
Threshold = Annotated[float, typer.Option(min=0.0, max=1.0, help="confidence below which a field needs review")]
Processes = Annotated[int, typer.Option(min=1, help="Number of documents to process in parallel.")]
Cache = Annotated[Path | None, typer.Option(help="Cache folder for pages that were read.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Do not cache pages.")]


def schema_named(given: str) -> tuple[str, Schema, list[str]]:
    """Like `load_schema`, but reports an invalid schema as a usage error."""
    try:
        return load_schema(given)
    except Invalid as error:
        raise typer.BadParameter(error.detail, param_hint="--schema") from error


def prompt_in(path: Path | None) -> str | None:
    if path is None:
        return None
    try:
        template = path.read_text("utf-8")
        check_template(template)
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{path} cannot be read as text", param_hint="--prompt") from error
    except Invalid as error:
        raise typer.BadParameter(error.detail, param_hint="--prompt") from error
    return template


def cache_folder(given: Path | None, *, no_cache: bool) -> Path | None:
    if no_cache and given is not None:
        raise typer.BadParameter("use either --cache or --no-cache", param_hint="--cache")
    return None if no_cache else given or default_cache()
