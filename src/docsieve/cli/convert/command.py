"""`docsieve convert`: write the content of files in another format, without a server."""

import asyncio
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from docsieve import logs
from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.failures import FAILED, complain
from docsieve.cli.console.interrupts import run_until_stopped
from docsieve.cli.extract.files import write_whole
from docsieve.cli.extract.options import Cache, NoCache, Processes, cache_folder
from docsieve.cli.extract.progress import ExtractProgress
from docsieve.cli.submit.walk import files_named
from docsieve.content.formats.csv import CsvWriter
from docsieve.content.formats.port import About
from docsieve.content.formats.registry import EXTENSIONS, FormatName, writer_for
from docsieve.content.outline import PAGES_FOR_LEVELS, document_content
from docsieve.domain.pages.pagefile import pages_in, whole_index
from docsieve.errors import DocsieveError, Invalid
from docsieve.errors.content import TableNotFound
from docsieve.offline.page_cache import ReadFile
from docsieve.offline.session import OfflineSession, open_session
from docsieve.settings import Settings
from docsieve.tasks.searchable import WriteSearchable

_PIECE_BYTES = 1024**2

app = typer.Typer(add_completion=False)


class Format(StrEnum):
    markdown = "markdown"
    html = "html"
    json = "json"
    text = "text"
    csv = "csv"
    searchable_pdf = "searchable-pdf"

    @property
    def extension(self) -> str:
        return "pdf" if self is Format.searchable_pdf else EXTENSIONS[_CONTENT[self]]


_CONTENT: dict[Format, FormatName] = {Format(name): name for name in EXTENSIONS}


@dataclass(frozen=True, slots=True)
class Conversion:
    """`folder` is None for stdout."""

    format: Format
    folder: Path | None
    headers: bool
    table: int


@app.command()
def convert(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files, folders (searched recursively) or glob patterns.")
    ],
    to: Annotated[Format, typer.Option(help="Format to convert to.")] = Format.markdown,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder to write to; created if needed. A single file may go to stdout."),
    ] = None,
    headers: Annotated[
        bool, typer.Option("--headers/--no-headers", help="Whether to keep running headers and footers.")
    ] = True,
    table: Annotated[int, typer.Option(min=1, help="For csv: which table of the document.")] = 1,
    password: Annotated[
        str | None,
        typer.Option(
            envvar="DOCSIEVE_DOCUMENT_PASSWORD",
            help="Password for protected documents. Other users can see command-line arguments.",
        ),
    ] = None,
    processes: Processes = os.cpu_count() or 2,
    cache: Cache = None,
    no_cache: NoCache = False,
) -> None:
    """Convert documents to Markdown, HTML, JSON, text, CSV or searchable PDF, without a server.

    Exits with 0 on success, 1 if a file failed, and 2 for a usage error. Pages are cached for a month.
    """
    paths = files_named(files)
    if not paths:
        raise Invalid("No files found.")
    if output is None and len(paths) > 1:
        raise typer.BadParameter("needed for more than one file", param_hint="--output")
    if output is not None and output.exists() and not output.is_dir():
        raise typer.BadParameter(f"{output} is not a folder", param_hint="--output")
    conversion = Conversion(to, output, headers, table)
    kept = cache_folder(cache, no_cache=no_cache)
    settings = load_settings()
    logs.configure(settings, process="cli")  # stdout is for the document
    if not run_until_stopped(_convert_all(settings, paths, conversion, kept, processes, password)):
        raise typer.Exit(FAILED)


async def _convert_all(
    settings: Settings,
    paths: Sequence[Path],
    conversion: Conversion,
    cache: Path | None,
    processes: int,
    password: str | None,
) -> bool:
    targets = list(_targets(paths, conversion))
    with ExtractProgress(len(paths)) as progress:
        async with open_session(settings, cache=cache, processes=processes, password=password) as session:
            work = (
                _convert(session, path, target, conversion, progress)
                for path, target in zip(paths, targets, strict=True)
            )
            return all(await asyncio.gather(*work))


async def _convert(
    session: OfflineSession, path: Path, target: Path | None, conversion: Conversion, progress: ExtractProgress
) -> bool:
    try:
        read = await session.read(path, lambda at: progress.show(path, at))
        if conversion.format is Format.searchable_pdf:
            copy = await session.write_copy(read, WriteSearchable)
            await asyncio.to_thread(_write, file_pieces(copy), target)
        else:
            await asyncio.to_thread(_write, _pieces(read, conversion), target)
    except DocsieveError as error:
        complain(error, about=str(path))
        return False
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        return False
    finally:
        progress.count_one()
    return True


def _write(pieces: Iterator[bytes], target: Path | None) -> None:
    if target is None:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    write_whole(target, pieces)


def file_pieces(path: Path) -> Iterator[bytes]:
    """The file's content. The file is removed at the end."""
    with path.open("rb") as file:
        yield from iter(partial(file.read, _PIECE_BYTES), b"")
    path.unlink()


def _pieces(read: ReadFile, conversion: Conversion) -> Iterator[bytes]:
    index = whole_index(read.pages.read_bytes())
    writer = writer_for(_CONTENT[conversion.format], table=conversion.table)
    yield writer.begin(
        About(index.info.title or read.path.name, index.page_count, language=read.about.language)
    ).encode()
    for content in document_content(islice(pages_in(read.pages), PAGES_FOR_LEVELS), pages_in(read.pages)):
        yield writer.page(content if conversion.headers else content.without_running()).encode(errors="replace")
    if isinstance(writer, CsvWriter) and not writer.written:
        raise TableNotFound
    yield writer.end().encode()


def _targets(paths: Sequence[Path], conversion: Conversion) -> Iterator[Path | None]:
    """Files of different folders keep the part of their path that differs; a name that is taken keeps its ending."""
    if conversion.folder is None:
        yield from (None for _ in paths)
        return
    resolved = [path.resolve() for path in paths]
    root = Path(os.path.commonpath([path.parent for path in resolved]))
    taken: set[Path] = set()
    for path in resolved:
        inner = path.relative_to(root)
        target = conversion.folder / inner.with_suffix(f".{conversion.format.extension}")
        if target in taken:
            target = conversion.folder / f"{inner}.{conversion.format.extension}"
        taken.add(target)
        yield target
