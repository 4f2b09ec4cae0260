"""The tasks that sandboxed children can run, and what children load for them: a `TaskModule` of `sandbox/task.py`."""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from docsieve.domain.schemas.ready import READY
from docsieve.parsers.ocr import registry as ocr
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.registry import BUILT_IN, parsers
from docsieve.sandbox.kernel.isolation import return_free_memory, use_large_pages
from docsieve.sandbox.task import Task
from docsieve.tasks.analyze import AnalyzePages
from docsieve.tasks.attachments import ExtractAttachments
from docsieve.tasks.extract import ExtractFields
from docsieve.tasks.finish import FinishAnalyses, FinishProposal
from docsieve.tasks.learn import LearnLessons
from docsieve.tasks.prepare import PrepareText
from docsieve.tasks.probe import ProbeLoading, ProbeOcr
from docsieve.tasks.read import ReadDocument
from docsieve.tasks.redact import WriteRedacted
from docsieve.tasks.render import RenderPage
from docsieve.tasks.sample import extract_from_sample, know_schema, read_sample
from docsieve.tasks.searchable import WriteSearchable
from docsieve.tasks.split import DetectSplits, WriteParts

TASKS: Sequence[type[Task[Any]]] = (
    ReadDocument,
    ExtractAttachments,
    AnalyzePages,
    RenderPage,
    ExtractFields,
    PrepareText,
    FinishProposal,
    FinishAnalyses,
    LearnLessons,
    ProbeOcr,
    ProbeLoading,
    DetectSplits,
    WriteParts,
    WriteSearchable,
    WriteRedacted,
)

MODULES = (
    PDF.reader,
    "docsieve.analysis.proof.results",
    "docsieve.engines.local.engine",
    *(each.reader for each in BUILT_IN),
    "docsieve.parsers.ocr.page",
    "docsieve.parsers.flow.canvas",
    "docsieve.engines.llm.prepare",
    "docsieve.engines.azure.engine",
)


@cache
def prepare(kind: str, folder: Path) -> None:
    if kind == ReadDocument.__name__:
        with closing(read_sample(folder / "prepared")) as readings:
            next(readings)
    elif kind == ExtractFields.__name__:
        extract_from_sample()


def warm_up(folder: Path) -> Iterator[None]:
    parsers()
    yield
    for module in MODULES:
        # A document that needs a library that is not installed reports that itself.
        with suppress(ImportError):
            import_module(module)
        yield
    yield from read_sample(folder / "sample")
    extract_from_sample()
    yield
    for schema in READY.values():
        know_schema(schema)
        yield
    use_large_pages()


def load_models(name: str) -> None:
    ocr.preload(name)
    return_free_memory()
    use_large_pages()


def loaded_models(kind: type[Task[Any]]) -> str | None:
    """Only of documents: a probe may load models that are never used."""
    return ocr.loaded() if kind is ReadDocument else None
