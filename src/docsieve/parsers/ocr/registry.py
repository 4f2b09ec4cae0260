"""Which OCR engines there are: installed packages' first, so that they can replace ours, then the built-in ones."""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from docsieve.errors import OcrEngineUnknown
from docsieve.parsers.ocr.port import OcrEngine

ENTRY_POINT_GROUP = "docsieve.ocr_engines"

# Named, not imported: the names are also asked for where no image is ever read.
BUILT_IN = {
    "rapidocr": ("docsieve.parsers.ocr.rapid", "RapidOcrEngine"),
    "tesseract": ("docsieve.parsers.ocr.tesseract", "TesseractEngine"),
}


def engine_names() -> frozenset[str]:
    return frozenset(BUILT_IN) | {entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)}


@cache
def engine(name: str) -> OcrEngine:
    """The engine of that name, made on the first call and kept; raises OcrEngineUnknown."""
    for entry in entry_points(group=ENTRY_POINT_GROUP, name=name):
        installed: OcrEngine = entry.load()()
        return installed
    if name not in BUILT_IN:
        raise OcrEngineUnknown(f"There is no OCR engine {name!r}; there are {', '.join(sorted(engine_names()))}.")
    module, kind = BUILT_IN[name]
    made: OcrEngine = getattr(import_module(module), kind)()
    return made
