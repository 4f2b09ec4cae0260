"""Runs OCR on the given images with the checkout that comes first on the path. Started by `benchmarks.ocr_against`."""

import json
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from docsieve.parsers.image.format import IMAGE
from docsieve.parsers.ocr import backends
from docsieve.parsers.ocr.probe import probe
from docsieve.parsers.port import ReadOptions

ENGINE, MODELS = "docsieve.parsers.ocr.rapid.engine", "docsieve.parsers.ocr.rapid.models"
STEPS = {
    "detector": (f"{MODELS}:Detector", "__call__"),
    "regions": (MODELS, "find_regions"),
    "cutting": (ENGINE, "cut"),
    "recognizer": (f"{MODELS}:Recognizer", "__call__"),
    "word edges": (ENGINE, "word_edges"),
}

seconds: dict[str, float] = {}


def main() -> None:
    for step, (owner, name) in STEPS.items():
        module, _, kind = owner.partition(":")
        holder = import_module(module)
        _time(getattr(holder, kind) if kind else holder, name, step)
    options = ReadOptions(ocr_backend=sys.argv[1] if len(sys.argv) > 1 else _fastest())
    print(json.dumps({"backend": options.ocr_backend}), flush=True)
    for image in sys.stdin:
        seconds.clear()
        started = time.process_time()
        lines = [line.text for page in IMAGE.read(Path(image.strip()), options).pages for line in page.lines]
        taken = time.process_time() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"lines": lines, "seconds": taken, "steps": seconds, "peak_mb": peak}), flush=True)


def _fastest() -> str:
    """Of those that can run in one process: without a limit of instructions."""
    usable = [each for each in backends.LADDER if each.installed and each.isa is None]
    # In a separate process, which takes their models with it.
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return min(usable, key=lambda each: process.submit(_probed, each.name).result()).name


def _probed(backend: str) -> float:
    return probe(ReadOptions(ocr_backend=backend)).seconds


def _time(holder: Any, name: str, step: str) -> None:
    plain = getattr(holder, name)

    def timed(*args: Any, **kwargs: Any) -> Any:
        started = time.process_time()
        found = plain(*args, **kwargs)
        seconds[step] = seconds.get(step, 0.0) + time.process_time() - started
        return found

    setattr(holder, name, timed)


if __name__ == "__main__":
    main()
