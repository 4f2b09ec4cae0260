"""`docsieve extractions`: list, show, compare, correct, verify and export extractions."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar
from uuid import UUID

import typer

from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.exports import LISTS_HELP, ListOption, export_parameters, save_export
from docsieve.cli.console.http import Server, open_server
from docsieve.cli.console.options import AsJson
from docsieve.cli.console.tables import console, share, show_empty, show_fields, show_table

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Manage extractions through the API at DOCSIEVE_URL."
)

T = TypeVar("T")

Id = Annotated[UUID, typer.Argument(help="ID of the extraction.")]
OfSchema = Annotated[
    str | None, typer.Option("--schema", help="Only extractions with this schema, such as invoice or invoice@3.")
]

_MAX_SHOWN = 200


def _run(work: Callable[[Server], Awaitable[T]]) -> T:
    async def connect_and_work() -> T:
        async with open_server(load_settings()) as server:
            return await work(server)

    return asyncio.run(connect_and_work())


@app.command("list")
def list_extractions(
    schema: OfSchema = None,
    status: Annotated[str | None, typer.Option(help="Only extractions with this status.")] = None,
    document: Annotated[UUID | None, typer.Option(help="Only extractions of this document.")] = None,
    review: Annotated[bool, typer.Option("--review", help="Only extractions that need review.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=_MAX_SHOWN, help="Maximum number of extractions to show.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List extractions, newest first."""
    criteria = {"schema": schema, "status": status, "document_id": document, "needs_review": review or None}
    found = _run(lambda server: server.get("/extractions", limit=limit, **criteria))["extractions"]
    if as_json:
        print(json.dumps(found, indent=2))
        return
    if not found:
        show_empty("matching extractions")
        return
    columns = ["id", "status", "schema", "engine", "confidence", "review", "documents", "error"]
    rows = [
        [
            each["id"],
            each["status"],
            each["schema"],
            each["engine"],
            share(each["confidence"]),
            {True: "needed", False: "no", None: None}[each["needs_review"]],
            len(each["documents"]),
            (each["error"] or {}).get("code"),
        ]
        for each in found
    ]
    show_table(columns, rows, whole=["id", "status"])


@app.command("show")
def show_extraction(
    id: Id,
    evidence: Annotated[bool, typer.Option("--evidence", help="Show where each value was found.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show one extraction with its fields."""
    found = _run(lambda server: server.get(f"/extractions/{id}"))
    if as_json:
        print(json.dumps(found, indent=2))
        return
    head = ("id", "status", "schema", "engine", "model", "confidence", "needs_review", "verified_at", "error")
    show_fields({name.replace("_", " "): found[name] for name in head})
    corrected = {each["path"]: each["new_value"] for each in found["corrections"]}
    rows = []
    for path, about in (found["metadata"] or {}).items():
        row = [path, _at(found["value"], path), corrected.get(path), share(about["confidence"])]
        rows.append([*row, _places(about)] if evidence else row)
    if rows:
        show_table(["field", "value", "corrected", "sure", *(["evidence"] if evidence else [])], rows, whole=["field"])


def _at(value: Any, path: str) -> Any:
    for step in path.replace("]", "").replace("[", ".").split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def _places(about: dict[str, Any]) -> str | None:
    places = [f"page {each['page']}: {each['text']}" for each in about["evidence"]]
    return "; ".join(places) if about["grounded"] else "not found on the page"


@app.command("compare")
def compare_extractions(
    here: Id,
    there: Annotated[UUID, typer.Argument(help="ID of the other extraction.")],
    everything: Annotated[bool, typer.Option("--all", help="Also show fields that are equal.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare two extractions field by field."""
    found = _run(lambda server: server.get(f"/extractions/{here}/compare/{there}"))
    if as_json:
        print(json.dumps(found, indent=2))
        return
    shown = [each for each in found["fields"] if everything or each["outcome"] != "same"]
    sides = ("confidence_here", "confidence_there")
    rows = [
        [
            each["path"],
            each["outcome"].replace("_", " "),
            each["here"],
            each["there"],
            *(share(each[s]) for s in sides),
        ]
        for each in shown
    ]
    if rows:
        show_table(
            ["field", "outcome", "here", "there", "confidence here", "confidence there"],
            rows,
            whole=["field", "outcome"],
        )
    console().print(f"{found['same']} equal, {found['different']} different", style="dim")


@app.command("correct")
def correct_extraction(
    id: Id,
    fields: Annotated[
        list[str], typer.Argument(metavar="PATH=VALUE", help="Field path and new value, as JSON or plain text.")
    ],
    note: Annotated[str | None, typer.Option(help="why")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Also confirm that all other fields are correct.")] = False,
) -> None:
    """Correct fields, such as `total=12.50` or `due_date=null`. The engine's values are kept."""
    fixes = [_fix(each, note) for each in fields]

    async def work(server: Server) -> None:
        await server.patch(f"/extractions/{id}/fields", {"fields": fixes})
        if verify:
            await server.post(f"/extractions/{id}/verify")

    _run(work)
    print(f"{len(fixes)} corrected{'; verified' if verify else ''}.")


def _fix(text: str, note: str | None) -> dict[str, Any]:
    path, equals, value = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text}: write PATH=VALUE")
    try:
        parsed = json.loads(value)
    except ValueError:
        parsed = value
    return {"path": path, "value": parsed, **({"note": note} if note is not None else {})}


@app.command("verify")
def verify_extractions(
    ids: Annotated[list[UUID], typer.Argument(metavar="ID", help="IDs of the extractions.")],
) -> None:
    """Mark every field of the extractions as reviewed."""

    async def work(server: Server) -> None:
        for each in ids:
            await server.post(f"/extractions/{each}/verify")
            print(f"{each} verified.")

    _run(work)


@app.command("export")
def export_extractions(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write: .csv, .xlsx, .jsonl, .json or .parquet.")
    ],
    schema: Annotated[str | None, typer.Option(help="Schema name or version, such as invoice or invoice@3.")] = None,
    status: Annotated[str | None, typer.Option(help="Only extractions in this state, such as completed.")] = None,
    review: Annotated[bool, typer.Option("--review", help="Only extractions that need review.")] = False,
    lists: Annotated[ListOption | None, typer.Option(help=LISTS_HELP)] = None,
    evidence: Annotated[bool, typer.Option("--evidence", help="Also the page and position of each value.")] = False,
) -> None:
    """Export extractions as a table with one row each, corrections applied."""
    wanted = {"schema": schema, "status": status, "needs_review": "true" if review else None}
    given = {name: value for name, value in wanted.items() if value is not None}
    options = export_parameters(output, lists=lists, evidence=evidence)
    size = _run(lambda server: save_export(server, "/extractions/export", output, {**given, **options}))
    print(f"{output}: {size:,} bytes.")


@app.command("dataset")
def download_dataset(
    schema: Annotated[str, typer.Option(help="Schema name or version, such as invoice or invoice@3.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="ZIP file to write.")],
    unverified: Annotated[
        bool, typer.Option("--unverified", help="Also include extractions that no one has verified.")
    ] = False,
) -> None:
    """Download documents with their verified fields as a dataset for `docsieve eval`."""
    wanted = {"schema": schema, "verified": str(not unverified).lower()}
    size = _run(lambda server: save_export(server, "/extractions/dataset", output, wanted))
    print(f"{output}: {size:,} bytes.")
