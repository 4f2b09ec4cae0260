"""OCR check of `docsieve doctor`, which reads a test page."""

from docsieve.cli.doctor.findings import Finding, bad, doubtful, good
from docsieve.errors import Unavailable
from docsieve.parsers.ocr.registry import engine_names, has_backends
from docsieve.pipelines.ocr import MachineOcr
from docsieve.pipelines.ocr_choice import FALLBACK, Choice, Probed
from docsieve.settings import Settings

_CHECK = "OCR"


async def ocr(settings: Settings) -> Finding:
    """The result is also stored for the workers that share the data directory."""
    machine = MachineOcr(settings.data_dir, memory_mb=settings.parser_memory_mb)
    try:
        if has_backends(settings.ocr_engine):
            return _of_choice(await machine.probe())
        if settings.ocr_engine not in engine_names():
            return bad(_CHECK, f"unknown OCR engine {settings.ocr_engine!r}", "Fix DOCSIEVE_OCR_ENGINE.")
        return _of_engine(await machine.probe_engine(settings.ocr_engine))
    except Unavailable as error:
        return bad(_CHECK, error.detail, "Engines are tried in the sandbox, so see to that first.")


def _of_choice(choice: Choice) -> Finding:
    tried = "; ".join(_words(each) for each in choice.probed)
    if choice.name is None:
        return bad(
            _CHECK,
            f"no engine can read the test page ({tried})",
            "Scans fail on this machine. Install onnxruntime, or use a different CPU type for the workers; then run "
            "`docsieve doctor` again. Is DOCSIEVE_PARSER_MEMORY_MB at least 2048?",
        )
    if choice.name == FALLBACK:
        return doubtful(
            _CHECK,
            f"Tesseract reads scans, but is less accurate than other engines ({tried})",
            "Install onnxruntime, which runs more accurate models, and run `docsieve doctor` again.",
        )
    return good(_CHECK, f"{choice.name} reads scans ({tried})")


def _of_engine(probed: Probed) -> Finding:
    if probed.works:
        return good(_CHECK, f"{probed.name} reads scans ({_words(probed)})")
    return bad(
        _CHECK,
        f"the engine cannot read the test page ({_words(probed)})",
        "Install the engine's dependencies, or unset DOCSIEVE_OCR_ENGINE.",
    )


def _words(probed: Probed) -> str:
    return f"{probed.name}: {probed.problem or f'{probed.seconds:.2f} s'}"
