"""Whether an OCR engine works on this machine, found out inside a sandboxed child."""

from dataclasses import asdict
from typing import Any

from docsieve.parsers.port import ReadOptions
from docsieve.sandbox.port import Report


def probe_ocr(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Read a page whose text is known with the engine and backend of `options`."""
    # loaded for a probe, not by every start of a child
    from docsieve.parsers.ocr.probe import probe

    return asdict(probe(ReadOptions.from_json(arguments["options"])))
