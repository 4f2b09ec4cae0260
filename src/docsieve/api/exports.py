"""The parameters and the response of every route that exports extractions."""

from collections.abc import AsyncIterator
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse

from docsieve.services.exports.export import MEDIA_TYPES, ExportOptions, Format
from docsieve.tables.layout import Lists

FILE_CONTENT: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {each: {"schema": {"type": "string", "format": "binary"}} for each in MEDIA_TYPES.values()},
        "description": "The file. A ZIP holds one CSV or Parquet file per table.",
    }
}


async def _options(
    format: Annotated[Format, Query(description="The kind of file.")],
    lists: Annotated[
        Lists | None,
        Query(
            description="Lists of a row as JSON in a cell, or as tables with a row per item: further sheets (xlsx), or"
            " further files in a ZIP (csv, parquet). Defaults to sheets for xlsx and to JSON otherwise. Not for JSON."
        ),
    ] = None,
    evidence: Annotated[
        bool, Query(description="Adds the confidence, page, box and text on the page of each field.")
    ] = False,
    bom: Annotated[
        bool | None,
        Query(
            description="Whether CSV starts with a byte order mark, which Excel needs for UTF-8. It does by default."
        ),
    ] = None,
) -> ExportOptions:
    return ExportOptions(format, lists, evidence, bom)


Export = Annotated[ExportOptions, Depends(_options)]


def file_response(content: AsyncIterator[bytes], options: ExportOptions, name: str) -> StreamingResponse:
    extension = options.extension
    filename = quote(f"{name}.{extension}", safe="")
    return StreamingResponse(
        content,
        media_type=MEDIA_TYPES[extension],
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{filename}"},
    )
