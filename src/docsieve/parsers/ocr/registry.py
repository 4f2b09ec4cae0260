"""The OCR engines: those of installed packages first, so that they can replace ours, then the built-in ones.

The models of an engine with backends run on one of those in `backends.py`, which the caller names.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from docsieve.errors import OcrEngineUnknown
from docsieve.parsers.ocr import backends
from docsieve.parsers.ocr.port import OcrEngine, Preloadable

ENTRY_POINT_GROUP = "docsieve.ocr_engines"

# Named, not imported: the names are also needed where no image is ever read.
BUILT_IN = {
    "rapidocr": ("docsieve.parsers.ocr.rapid.engine", "RapidOcrEngine"),
    "tesseract": ("docsieve.parsers.ocr.tesseract", "TesseractEngine"),
}

WITH_BACKENDS = "rapidocr"


def engine_names() -> frozenset[str]:
    return frozenset(BUILT_IN) | {entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)}


@cache
def has_backends(name: str) -> bool:
    return name == WITH_BACKENDS and not entry_points(group=ENTRY_POINT_GROUP, name=name)


def engine(name: str, backend: str | None = None) -> OcrEngine:
    """Return the engine of that name, created on the first call. Raises OcrEngineUnknown.

    An engine with backends raises OcrBackendUnset when it is to read without one.
    """
    return _made(name, backend if has_backends(name) else None)


def loaded() -> str | None:
    """A name for the engine and backend whose models this process loaded last; another process can `preload` it."""
    made = [key for key, engine in _engines.items() if isinstance(engine, Preloadable) and engine.is_loaded]
    return "/".join(part for part in made[-1] if part is not None) if made else None


def preload(name: str) -> None:
    """Load the models that `loaded` named."""
    engine_name, _, backend = name.partition("/")
    made = engine(engine_name, backend or None)
    if isinstance(made, Preloadable):
        made.load()


_engines: dict[tuple[str, str | None], OcrEngine] = {}


def _made(name: str, backend: str | None) -> OcrEngine:
    if (name, backend) not in _engines:
        _engines[name, backend] = _make(name, backend)
    return _engines[name, backend]


def _make(name: str, backend: str | None) -> OcrEngine:
    for entry in entry_points(group=ENTRY_POINT_GROUP, name=name):
        installed: OcrEngine = entry.load()()
        return installed
    if name not in BUILT_IN:
        raise OcrEngineUnknown(f"Unknown OCR engine {name!r}. Available: {', '.join(sorted(engine_names()))}.")
    module, kind = BUILT_IN[name]
    arguments = () if backend is None else (backends.backend(backend),)
    made: OcrEngine = getattr(import_module(module), kind)(*arguments)
    return made
