"""`docsieve submit`: upload files and directories through the API."""

import asyncio
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer

from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.failures import FAILED
from docsieve.cli.console.http import open_server
from docsieve.cli.console.options import AsJson
from docsieve.cli.console.tables import show_table
from docsieve.cli.submit.remedies import explained
from docsieve.cli.submit.uploads import Letter, Outcome, Sender
from docsieve.cli.submit.uploads_view import SendingView
from docsieve.cli.submit.walk import files_below
from docsieve.errors import Invalid
from docsieve.sources import SCHEMES

app = typer.Typer(add_completion=False)

_MAX_KEY_LENGTH = 200
_SOURCES = tuple(f"{scheme}://" for scheme in SCHEMES)


def _json_object(text: str) -> str:
    try:
        if isinstance(json.loads(text), dict):
            return text
    except (ValueError, RecursionError):
        pass
    raise typer.BadParameter("it must be a JSON object, such as '{\"invoice\": 7}'")


def _header_value(text: str) -> str:
    if not 0 < len(text) <= _MAX_KEY_LENGTH or not text.isascii() or not text.isprintable() or " " in text:
        raise typer.BadParameter(f"at most {_MAX_KEY_LENGTH} ASCII characters without spaces")
    return text


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="Files, directories, which are searched recursively, or URLs that the server downloads from: "
        "s3://bucket/key, az://container/key, gs://bucket/key, https://host/path.",
    ),
]
Metadata = Annotated[
    str | None,
    typer.Option(parser=_json_object, metavar="JSON", help="JSON object that is stored with each document."),
]
Password = Annotated[
    str | None,
    typer.Option(
        envvar="DOCSIEVE_DOCUMENT_PASSWORD",
        help="Password for protected documents. Other users can see command-line arguments.",
    ),
]
IdempotencyKey = Annotated[
    str | None,
    typer.Option(
        parser=_header_value,
        metavar="KEY",
        help="Makes it safe to repeat this command. With several files, the path is added for each.",
    ),
]
Direct = Annotated[
    bool | None,
    typer.Option(
        "--direct/--no-direct",
        help="Whether files go to the blob store itself. By default those of 64 MiB and more do, if the store can "
        "be reached and there is no --idempotency-key.",
    ),
]


@app.command()
def submit(
    files: Files,
    project: Annotated[
        str | None, typer.Option(help="Project. Defaults to the key's project, or to `default`.")
    ] = None,
    schema: Annotated[str | None, typer.Option(help="Schema to extract.")] = None,
    engine: Annotated[str | None, typer.Option(help="Extraction engine.")] = None,
    priority: Annotated[int, typer.Option(min=-100, max=100, help="Higher priorities run first.")] = 0,
    metadata: Metadata = None,
    password: Password = None,
    idempotency_key: IdempotencyKey = None,
    direct: Direct = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait until every document has been processed, also those in archives.")
    ] = False,
    timeout: Annotated[
        float | None, typer.Option(min=0.0, help="With --wait: maximum time to wait, in seconds.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Upload documents to DOCSIEVE_URL. With --wait, exits with 0 only if all could be read."""
    if direct and idempotency_key is not None:
        raise typer.BadParameter("--direct and --idempotency-key exclude each other")
    letters = _letters(files, idempotency_key, direct=direct)
    given = {
        "project": project,
        "schema": schema,
        "engine": engine,
        "priority": str(priority) if priority else None,
        "metadata": metadata,
        "password": password,
    }
    fields = {name: value for name, value in given.items() if value is not None}
    outcomes: dict[Path, Outcome] = {}
    try:
        asyncio.run(_send(letters, fields, outcomes, wait=wait, timeout=timeout, as_json=as_json))
    finally:
        if outcomes and not as_json:
            _show(list(outcomes.values()))
    if any(not outcome.accepted or (wait and not outcome.ready) for outcome in outcomes.values()):
        raise typer.Exit(FAILED)


def _letters(given: Sequence[str], key: str | None, *, direct: bool | None) -> list[Letter]:
    sources = {Path(each): each for each in given if each.lower().startswith(_SOURCES)}
    paths = [*files_below([Path(each) for each in given if each not in sources.values()]), *sources]
    if not paths:
        raise Invalid("No files found.")
    if key is None:
        return [Letter(path, str(uuid4()), sources.get(path), direct) for path in paths]
    if len(given) == 1 and not Path(given[0]).is_dir():
        return [Letter(paths[0], key, sources.get(paths[0]), direct=False)]
    keys = [f"{key}-{hashlib.sha256(bytes(path)).hexdigest()[:16]}" for path in paths]
    return [Letter(path, each, sources.get(path), direct=False) for path, each in zip(paths, keys, strict=True)]


async def _send(
    letters: Sequence[Letter],
    fields: dict[str, str],
    outcomes: dict[Path, Outcome],
    *,
    wait: bool,
    timeout: float | None,
    as_json: bool,
) -> None:
    deadline = asyncio.get_running_loop().time() + timeout if timeout is not None else None
    quiet = as_json and sys.stdout.isatty()  # lines on the same terminal would interfere with the progress bars
    async with open_server(load_settings()) as server:
        await server.get("/documents", limit=1)  # report a wrong URL or key once, not for each file
        with SendingView(len(letters), quiet=quiet) as view:
            settled = _print_json if as_json else _say_nothing
            await Sender(server, view, fields, wait, deadline, settled).send_all(letters, outcomes)


def _print_json(outcome: Outcome) -> None:
    print(json.dumps(asdict(outcome)), flush=True)


def _say_nothing(_: Outcome) -> None:
    return None


def _show(outcomes: Sequence[Outcome]) -> None:
    show_table(
        ["file", "status", "pages", "document", "reason"],
        [
            (
                each.file,
                each.status,
                each.pages,
                each.document_id,
                explained(each.code, each.reason) if each.code else None,
            )
            for each in outcomes
        ],
        whole=["status", "document"],
    )
