"""What Azure Document Intelligence answered about a document, fetched by `remote/`, as pages.

No upload is of this type: it is not sniffed, and the worker names it when it has an answer to read.
"""

from pathlib import Path

from docsieve.parsers.azure.pages import open_analysis
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.remote.azure.shapes import ANSWER_TYPE


class AzureAnalysisParser:
    name = "azure-analysis"
    version = "1"
    uses_ocr = False
    media_types = frozenset({ANSWER_TYPE})

    def sniff(self, head: bytes) -> str | None:
        return None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        count, pages = open_analysis(source.read_bytes(), max_pages=options.max_pages)
        return Reading(page_count=count, pages=pages)
