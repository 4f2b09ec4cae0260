"""Pages per second, memory and time by step of the local engine, alone or next to another checkout's."""

import json
import os
import statistics
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluations.generated.make import documents, kinds, load_kind
from evaluations.generated.truth import asked

from benchmarks.extractions.size import size_of
from benchmarks.report import Row, Section, Target

ROOT = Path(__file__).parents[2]
WORKER = Path(__file__).with_name("worker.py")
ROUNDS = 5
PER_KIND = 3
PAGES, RATIO, MEMORY, LINES, FILES, NUMBERS = "pages/s", "× the other", "MiB", "lines", "files", "numbers"
HERE, THERE = "this checkout", "the other checkout"
MIN_RATIO = 0.7
METHOD = f"""{PER_KIND} generated documents of each kind in `evaluations/`, with their schemas. A process for each
checkout reads them with its own parsers, then extracts from the pages of all of them, with grounding, checks and
confidence, in {ROUNDS} rounds that take turns. Pages per second of processor time; the median counts. Lines, files and
numbers are those of `engines/local`; a number is a literal other than 0, 1, -1 and 2, outside of subscripts. The share
of time by step comes from samples of the stack."""


@dataclass
class Contender:
    """A checkout, and the process that extracts with it."""

    name: str
    checkout: Path
    worker: "subprocess.Popen[str]"
    pages: int = 0
    seconds: list[float] = field(default_factory=list)

    def ask(self, request: str) -> dict[str, Any]:
        assert self.worker.stdin is not None
        self.worker.stdin.write(f"{request}\n")
        self.worker.stdin.flush()
        return self.answer()

    def answer(self) -> dict[str, Any]:
        assert self.worker.stdout is not None
        line = self.worker.stdout.readline()
        if not line:
            raise RuntimeError(f"The engine of {self.checkout} stopped with exit code {self.worker.wait()}.")
        said: dict[str, Any] = json.loads(line)
        return said

    @property
    def pages_per_second(self) -> float:
        return self.pages / statistics.median(self.seconds)


def measure_engine(folder: Path, against: Path | None) -> list[Section]:
    listed = folder / "documents.json"
    listed.write_text(json.dumps(_documents(folder)))
    checkouts = {HERE: ROOT, **({THERE: against} if against is not None else {})}
    with ExitStack() as stack:
        contenders = [Contender(name, path, _started(stack, path, listed)) for name, path in checkouts.items()]
        for each in contenders:
            each.pages = each.answer()["pages"]
        for turn in range(ROUNDS):
            for each in contenders if turn % 2 == 0 else reversed(contenders):
                each.seconds.append(each.ask("round")["seconds"])
        profiles = [each.ask("steps") for each in contenders]
    return _sections(contenders, profiles)


def _documents(folder: Path) -> list[dict[str, Any]]:
    listed = []
    for kind in kinds():
        schema = asked(load_kind(kind)).schema
        for made in documents(kind, kept=False, scan=False)[:PER_KIND]:
            path = folder / f"{kind}-{made.name}.pdf"
            path.write_bytes(made.content)
            listed.append({"path": str(path), "schema": schema})
    return listed


def _started(stack: ExitStack, checkout: Path, listed: Path) -> "subprocess.Popen[str]":
    worker = subprocess.Popen(
        [sys.executable, WORKER, listed],
        env={**os.environ, "PYTHONPATH": str(checkout.resolve() / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    stack.callback(worker.wait)
    stack.callback(worker.kill)
    return worker


def _sections(contenders: list[Contender], profiles: list[dict[str, Any]]) -> list[Section]:
    rows, targets = [], []
    for each, profile in zip(contenders, profiles, strict=True):
        size = size_of(each.checkout)
        measured = {PAGES: each.pages_per_second, MEMORY: profile["mib"]}
        rows.append(Row(each.name, {**measured, LINES: size.lines, FILES: size.files, NUMBERS: size.numbers}))
    if len(contenders) > 1:
        ratio = contenders[0].pages_per_second / contenders[1].pages_per_second
        rows[0].figures[RATIO] = ratio
        targets.append(Target("pages per second, × the other checkout", MIN_RATIO, ratio))
    steps = [Row(each.name, profile["steps"]) for each, profile in zip(contenders, profiles, strict=True)]
    return [
        Section("Local engine", METHOD, (PAGES, RATIO, MEMORY, LINES, FILES, NUMBERS), rows, targets),
        Section("Local engine: share of time by step", METHOD, tuple(profiles[0]["steps"]), steps),
    ]
