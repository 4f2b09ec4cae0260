"""`docsieve search`: search the text of documents through the API."""

import asyncio
import json
from typing import Annotated, Any
from uuid import UUID

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.http import open_server
from docsieve.cli.console.options import AsJson
from docsieve.cli.console.tables import cell, console, show_empty

app = typer.Typer(add_completion=False, help="Search the text of your documents, through the API at DOCSIEVE_URL.")

_SHARES = ("words", "meaning", "spelling")


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="Search words. Quoted phrases must match exactly.")],
    project: Annotated[str | None, typer.Option(help="Only documents of this project.")] = None,
    document_class: Annotated[str | None, typer.Option("--class", help="Only documents of this class.")] = None,
    media_type: Annotated[str | None, typer.Option(help="Only documents of this media type.")] = None,
    language: Annotated[str | None, typer.Option(help="Only documents in this language, such as en.")] = None,
    created_from: Annotated[
        str | None, typer.Option(help="Only documents created at or after this time, such as 2026-01-31T00:00Z.")
    ] = None,
    created_to: Annotated[str | None, typer.Option(help="Only documents created before this time.")] = None,
    metadata: Annotated[str | None, typer.Option(help="JSON object that the document's metadata must contain.")] = None,
    document: Annotated[UUID | None, typer.Option(help="Only this document.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Maximum number of results to show.")] = 10,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how much each ranking contributed to the score.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Search by words, by meaning and with typo tolerance. The best matches come first."""
    given = {
        "project": project,
        "class": document_class,
        "media_type": media_type,
        "language": language,
        "created_from": created_from,
        "created_to": created_to,
        "metadata": metadata,
        "document_id": document,
    }
    criteria = {name: str(value) for name, value in given.items() if value is not None}

    async def ask() -> dict[str, Any]:
        async with open_server(load_settings()) as server:
            return await server.get("/search", q=query, limit=limit, explain=str(explain).lower(), **criteria)

    found = asyncio.run(ask())
    if as_json:
        print(json.dumps(found, indent=2))
        return
    if not found["hits"]:
        show_empty("matching documents")
        return
    for wrong, right in found["corrections"].items():
        console().print(Text(f"{wrong} was corrected to {right}", style="dim"))
    _show(found["hits"], explain=explain)


def _show(hits: list[dict[str, Any]], *, explain: bool) -> None:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for column in ("score", "document", "page", "text", *(_SHARES if explain else ())):
        table.add_column(column, overflow="fold", no_wrap=column in ("score", "page"))
    for hit in hits:
        shares = [f"{hit['shares'][name]:.3f}" for name in _SHARES] if explain else []
        table.add_row(
            f"{hit['score']:.3f}", _document(hit), cell(hit["page"]), _snippet(hit["snippet"]), *map(cell, shares)
        )
    console().print(table)


def _document(hit: dict[str, Any]) -> Text:
    shown = Text.assemble(cell(hit["filename"]), "\n", (hit["document_id"], "dim"))
    for copy in hit["also_in"]:
        shown.append_text(Text.assemble("\nalso ", cell(copy["filename"]), "\n", (copy["document_id"], "dim")))
    return shown


def _snippet(parts: list[dict[str, Any]]) -> Text:
    """One line without escape sequences, because document text is untrusted."""
    shown = Text()
    for part in parts:
        text = part["text"]
        words = cell(text).plain
        before, after = " " * text[:1].isspace(), " " * (text[-1:].isspace() and bool(words))
        shown.append(f"{before}{words}{after}", style="bold yellow" if part["hit"] else "")
    return shown
