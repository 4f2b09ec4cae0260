"""Files that the server exports: options, and the download."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import typer

from docsieve.cli.console.http import Server
from docsieve.errors import Invalid

LISTS_HELP = "Lists as JSON in a cell, or as further sheets or files. Defaults to sheets for .xlsx, otherwise to JSON."
_FORMATS = ("csv", "xlsx", "jsonl", "json", "parquet")


class ListOption(StrEnum):
    json = "json"
    sheets = "sheets"


def export_parameters(output: Path, *, lists: ListOption | None, evidence: bool) -> dict[str, str]:
    """The format follows from the extension; a ZIP of CSV files is `table.csv.zip`."""
    ending = output.suffix.removeprefix(".").lower()
    zipped = ending == "zip"
    if zipped:
        ending = Path(output.stem).suffix.removeprefix(".").lower()
    if ending not in _FORMATS:
        known = ", ".join(f".{each}" for each in _FORMATS)
        raise typer.BadParameter(f"use one of the extensions {known}", param_hint="--output")
    if zipped != (lists is ListOption.sheets and ending in ("csv", "parquet")):
        raise typer.BadParameter(
            "CSV and Parquet with --lists sheets are a ZIP of several files: -o table.csv.zip", param_hint="--output"
        )
    if not output.absolute().parent.is_dir():
        raise typer.BadParameter(f"folder {output.parent} does not exist", param_hint="--output")
    return {
        "format": ending,
        **({"lists": lists.value} if lists is not None else {}),
        **({"evidence": "true"} if evidence else {}),
    }


async def save_export(server: Server, path: str, output: Path, parameters: Mapping[str, str]) -> int:
    """Download to a temporary name; the file gets its own only once it is complete. Returns its size."""
    partial = output.with_name(f".{output.name}.part")
    try:
        with partial.open("wb") as file:
            size = await server.download(path, file, **parameters)
        partial.replace(output)
    except OSError as error:
        raise Invalid(f"{output} cannot be written: {error.strerror}.") from error
    finally:
        partial.unlink(missing_ok=True)
    return size
