"""What a sandboxed child can be asked to do: name → function of JSON arguments to a JSON result."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from docsieve.domain.pagefile import PageFileWriter
from docsieve.domain.pages import Progress
from docsieve.errors import ParserCrashed
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.registry import parser_for

Report = Callable[[Progress], None]
Task = Callable[[dict[str, Any], Report], dict[str, Any]]


def read_document(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Read the document at `source`, of type `media_type`, into a page file at `output`.

    Both paths are absolute, because a child works in a directory of its own; what is at `output` is whole only if this
    returns. `password` and `max_pages` are optional.
    """
    parser = parser_for(arguments["media_type"])
    options = ReadOptions(
        password=arguments.get("password"), max_pages=arguments.get("max_pages") or ReadOptions().max_pages
    )
    reading = parser.read(Path(arguments["source"]), options)
    report(Progress("reading", 0, reading.page_count))
    with Path(arguments["output"]).open("wb") as file:
        writer = PageFileWriter(file, parser=parser.name, parser_version=parser.version)
        for page in reading.pages:
            writer.add(page)
            report(Progress("reading", page.number, reading.page_count))
        summary = writer.close()
    if summary.page_count != reading.page_count:
        raise ParserCrashed(f"The parser gave {summary.page_count} of {reading.page_count} pages.")
    return {**asdict(summary), "parser": parser.name, "parser_version": parser.version}


TASKS: dict[str, Task] = {"read_document": read_document}
