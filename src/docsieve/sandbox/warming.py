"""What a zygote loads ahead, so that no document has to: the modules of parsers and engines, and what these keep.

A document that needs something else loads it for itself, and loses it again.
"""

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from docsieve import folders
from docsieve.parsers.ocr import registry
from docsieve.parsers.registry import BUILT_IN, parsers
from docsieve.sandbox.isolation import return_free_memory, use_large_pages
from docsieve.sandbox.reading import read_document

MODULES = (
    *(each.reader for each in BUILT_IN),
    "docsieve.parsers.ocr.page",
    "docsieve.parsers.flow.drawing",
    "docsieve.analysis.proof.results",
    "docsieve.engines.local.engine",
    "docsieve.engines.llm.prepare",
    "docsieve.engines.azure.engine",
    "docsieve.sandbox.learning",
)
# Enough to be read, classified and cut into chunks.
_TEXT = "Invoice number 1 of 2 January 2024. The total amount is due within thirty days. Thank you for your order."
_PDF_OBJECTS = (
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    "<</Length {length}>>stream\n{content}\nendstream",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
)


def warm_up(folder: Path) -> Iterator[None]:
    """Load a little with each step; `folder` is for samples of ours, which are gone after their step."""
    parsers()
    yield
    for module in MODULES:
        # A document that needs a library which is not installed says so itself.
        with suppress(ImportError):
            import_module(module)
        yield
    _read_sample(folder / "sample")
    yield
    use_large_pages()


def load_models(name: str) -> None:
    registry.preload(name)
    return_free_memory()
    use_large_pages()


def _read_sample(folder: Path) -> None:
    """Reading and analysing a document of ours loads the models, tables and patterns that most documents need."""
    folder.mkdir()
    try:
        source = folder / "sample.pdf"
        source.write_bytes(_sample_pdf())
        analysis = {"chunks": str(folder / "chunks"), "own_classes": [], "sample_characters": 100}
        arguments = {"source": str(source), "media_type": "application/pdf", "output": str(folder / "pages")}
        read_document({**arguments, "analysis": analysis}, lambda _: None)
    finally:
        folders.remove(folder)


def _sample_pdf() -> bytes:
    content = f"BT /F 12 Tf 40 800 Td ({_TEXT}) Tj ET"
    made, places = "%PDF-1.4\n", []
    for number, body in enumerate(_PDF_OBJECTS, start=1):
        places.append(len(made))
        filled = body.replace("{length}", str(len(content))).replace("{content}", content)
        made += f"{number} 0 obj\n{filled}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(places) + 1
    ending = f"trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{len(made)}\n%%EOF\n"
    return f"{made}xref\n0 {size}\n0000000000 65535 f \n{table}{ending}".encode()
