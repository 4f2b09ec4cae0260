"""The answer of Azure Document Intelligence about a document, fetched by `remote/`.

It is never uploaded: the worker names this type when it has an answer to read.
"""

from docsieve.parsers.format import Format
from docsieve.remote.azure.shapes import ANSWER_TYPE


def _sniff(_: bytes) -> None:
    return None


AZURE_ANALYSIS = Format(
    name="azure-analysis",
    version="2",
    media_types=frozenset({ANSWER_TYPE}),
    sniff=_sniff,
    reader="docsieve.parsers.azure.pages",
)
