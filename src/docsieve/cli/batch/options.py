"""Options of `docsieve batch`."""

from pathlib import Path
from typing import Annotated

import typer

from docsieve.cli.batch.run import Grouping, SplitOption
from docsieve.cli.console.exports import LISTS_HELP, ListOption

Named = Annotated[str, typer.Argument(metavar="BATCH", help="ID or name of the batch.")]
Lists = Annotated[ListOption | None, typer.Option(help=LISTS_HELP)]
WithEvidence = Annotated[bool, typer.Option("--evidence", help="Also the page and position of each value.")]

Source = Annotated[Path, typer.Argument(exists=True, help="A folder, searched recursively, or an archive.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="Table to write: .xlsx, .csv, .jsonl, .json or .parquet.")]
Schema = Annotated[
    str | None, typer.Option(help="Schema name, such as invoice, or a JSON file. Defaults to the project's schema.")
]
GroupBy = Annotated[Grouping, typer.Option(help="Which documents make one row.")]
Pattern = Annotated[
    str | None, typer.Option(help="For --group-by pattern: what to find in names, such as '(?P<group>[0-9]+)'.")
]
Split = Annotated[
    SplitOption | None, typer.Option(help="auto: split files that hold several documents, such as a scanned pile.")
]
Name = Annotated[str | None, typer.Option(help="Name of the batch. A run with the name of an earlier one resumes it.")]
Project = Annotated[str | None, typer.Option(help="Project. Defaults to the key's project, or to `default`.")]
Engine = Annotated[str | None, typer.Option(help="Extraction engine.")]
Model = Annotated[str | None, typer.Option(help="Model that the engine calls, such as openai:gpt-4o-mini.")]
Prompt = Annotated[str | None, typer.Option(help="Name of the prompt for language models.")]
Threshold = Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Confidence below which a field needs review.")]
Priority = Annotated[int | None, typer.Option(min=-100, max=100, help="Compared with other batches.")]
Password = Annotated[
    str | None,
    typer.Option(
        envvar="DOCSIEVE_DOCUMENT_PASSWORD",
        help="Password for protected documents. Other users can see command-line arguments.",
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 3 if a row needs review.")]
