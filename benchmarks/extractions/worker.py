"""A process that extracts with the local engine of the checkout that PYTHONPATH names, and times it.

It is run as a file, by `benchmarks.extractions.engine`, with the documents and their schemas as its argument. Each line
that it reads is a request: `round` extracts from all documents once and answers with the seconds of processor time,
which other processes of the machine hardly change; `steps` does so with a profiler and answers with the share of time
of each step and the peak of memory.
"""

import asyncio
import json
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import docsieve
from docsieve.analysis.proof.results import finish
from docsieve.domain.extraction import DEFAULT_THRESHOLD, Material
from docsieve.domain.pages.pagefile import pages_in
from docsieve.engines.registry import local_engine
from docsieve.offline.page_cache import ReadFile
from docsieve.offline.session import open_session
from docsieve.settings import Settings

SAMPLE_SECONDS = 0.001
STEPS = (
    ("reading pages", ("domain/pages/",)),
    ("view", ("engines/local/page/",)),
    ("lists", ("engines/local/lists/", "engines/local/sections/")),
    ("choice", ("engines/local/fields/choice", "engines/local/judge/")),
    ("candidates", ("engines/local/",)),
    ("grounding", ("analysis/proof/grounding/",)),
    ("checks", ("analysis/proof/",)),
)
"""The outermost module that is named decides; these two only call the others."""
CALLERS = ("engines/local/engine.py", "analysis/proof/results.py")
PACKAGE = f"{Path(docsieve.__file__).parent}/"


async def read(documents: list[dict[str, Any]], cache: Path) -> list[tuple[ReadFile, dict[str, Any]]]:
    """Each checkout reads with its own parsers."""
    async with open_session(Settings.from_environment(), cache=cache, processes=1) as session:
        return [(await session.read(Path(each["path"]), lambda _: None), each["schema"]) for each in documents]


def extract(files: list[tuple[ReadFile, dict[str, Any]]]) -> float:
    engine = local_engine("local")
    started = time.process_time()
    for file, schema in files:
        about = file.about
        material = Material(str(file.path), list(pages_in(file.pages)), about.language, about.document_class)
        proposal = engine.propose([material], schema, lessons=None)
        finish([material], schema, proposal, engine="local", threshold=DEFAULT_THRESHOLD)
    return time.process_time() - started


def shares(files: list[tuple[ReadFile, dict[str, Any]]]) -> dict[str, float]:
    """From samples of the stack, each of which belongs to one step."""
    found: Counter[str] = Counter()

    def sample(_: int, frame: FrameType | None) -> None:
        found[step_of(frame)] += 1

    signal.signal(signal.SIGPROF, sample)
    signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)
    extract(files)
    signal.setitimer(signal.ITIMER_PROF, 0)
    total = sum(found.values()) or 1
    return {name: found[name] / total for name in (*(name for name, _ in STEPS), "other")}


def step_of(frame: FrameType | None) -> str:
    """Of the frames from the innermost out, the last one that names a step."""
    step = "other"
    while frame is not None:
        module = frame.f_code.co_filename.removeprefix(PACKAGE)
        if module not in CALLERS:
            step = next((name for name, parts in STEPS if module.startswith(parts)), step)
        frame = frame.f_back
    return step


def peak_mib() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def main() -> None:
    documents = json.loads(Path(sys.argv[1]).read_text())
    with tempfile.TemporaryDirectory(prefix="bench-engine-") as folder:
        files = asyncio.run(read(documents, Path(folder)))
        extract(files)  # imports, compiled expressions and models are loaded once
        print(json.dumps({"pages": sum(file.about.page_count for file, _ in files)}), flush=True)
        for request in sys.stdin:
            if request.strip() == "round":
                print(json.dumps({"seconds": extract(files)}), flush=True)
            else:
                print(json.dumps({"steps": shares(files), "mib": peak_mib()}), flush=True)


if __name__ == "__main__":
    main()
