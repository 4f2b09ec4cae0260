"""`docsieve redact`: write a copy of a document without some of its text, without a server."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.interrupts import run_until_stopped
from docsieve.cli.convert.command import file_pieces
from docsieve.cli.extract.files import write_whole
from docsieve.cli.extract.options import Cache, NoCache, cache_folder
from docsieve.cli.extract.progress import ExtractProgress
from docsieve.content.redaction import Redaction
from docsieve.offline.session import open_session
from docsieve.settings import Settings
from docsieve.tasks.redact import WriteRedacted

app = typer.Typer(add_completion=False)


@app.command()
def redact(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Document to copy.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="PDF to write.")],
    text: Annotated[
        list[str] | None, typer.Option(help="Text to remove wherever it is; it must be there. May be repeated.")
    ] = None,
    pattern: Annotated[
        list[str] | None, typer.Option(help="Regular expression (RE2) of what to remove. May be repeated.")
    ] = None,
    password: Annotated[
        str | None,
        typer.Option(
            envvar="DOCSIEVE_DOCUMENT_PASSWORD",
            help="Password of a protected document. Other users can see command-line arguments.",
        ),
    ] = None,
    cache: Cache = None,
    no_cache: NoCache = False,
) -> None:
    """Write a copy of a document without some of its text, without a server.

    Pages become pictures with black boxes, and nothing else of the document is kept. Exits with 1 if a text, or
    everything, was not found; then nothing is written.
    """
    if not text and not pattern:
        raise typer.BadParameter("give at least one --text or --pattern")
    if output.resolve() == file.resolve():
        raise typer.BadParameter("the copy cannot replace the document", param_hint="--output")
    redaction = Redaction(texts=tuple(text or ()), patterns=tuple(pattern or ()))
    redaction.check()
    kept = cache_folder(cache, no_cache=no_cache)
    run_until_stopped(_redact(load_settings(), file, output, redaction, kept, password))


async def _redact(
    settings: Settings, file: Path, output: Path, redaction: Redaction, cache: Path | None, password: str | None
) -> None:
    with ExtractProgress(1) as progress:
        async with open_session(settings, cache=cache, processes=1, password=password) as session:
            read = await session.read(file, lambda at: progress.show(file, at))
            copy = await session.write_copy(read, partial(WriteRedacted, redaction=redaction))
            await asyncio.to_thread(write_whole, output, file_pieces(copy))
