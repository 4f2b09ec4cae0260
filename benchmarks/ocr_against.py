"""`python -m benchmarks.ocr_against PATH`: OCR of this checkout and of another one, such as a worktree of a commit.

Both read the same images in turns, each in a separate process, with the backend that is fastest for it, or with the
one that is named. Seconds are processor time per page, models loaded. The
peak of memory is of the whole process.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.ocr_parts.receipts import Receipt, photographed, printed, scanned
from benchmarks.ocr_parts.scoring import Score

RECEIPTS = 30
SETS = {"scans": scanned, "photos": photographed, "printed": printed}
HERE = Path(__file__).parents[1]
READER = HERE / "benchmarks/ocr_parts/checkout.py"


@dataclass
class Checkout:
    """A process that reads with the code of one checkout."""

    name: str
    process: subprocess.Popen[str]
    backend: str = ""
    score: Score = field(default_factory=Score)
    seconds: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)
    peak_mb: float = 0.0

    @classmethod
    def start(cls, name: str, path: Path, backend: str | None) -> "Checkout":
        environment = {**os.environ, "PYTHONPATH": str(path / "src")}
        process = subprocess.Popen(
            [sys.executable, str(READER), *([backend] if backend else [])],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        started = cls(name, process)
        started.backend = started._answer()["backend"]
        return started

    def read(self, receipt: Receipt, *, counts: bool = True) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{receipt.image}\n")
        self.process.stdin.flush()
        found = self._answer()
        if counts:
            self.seconds += found["seconds"]
            self.score.add(receipt, found["lines"])
            for step, seconds in found["steps"].items():
                self.steps[step] = self.steps.get(step, 0.0) + seconds
        self.peak_mb = found["peak_mb"]

    def reset(self) -> None:
        self.score, self.seconds, self.steps = Score(), 0.0, {}

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.ocr_against", description=__doc__)
    options.add_argument("path", type=Path, help="the other checkout")
    options.add_argument("--receipts", type=int, default=RECEIPTS)
    options.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    options.add_argument("--backends", nargs=2, metavar=("BEFORE", "NOW"), default=(None, None))
    asked = options.parse_args()
    checkouts = [
        Checkout.start(name, path, backend)
        for name, path, backend in zip(("before", "now"), (asked.path, HERE), asked.backends, strict=True)
    ]
    for label in asked.sets:
        every = SETS[label]()
        receipts = every[:: max(1, len(every) // asked.receipts)][: asked.receipts]
        for checkout in checkouts:
            checkout.reset()
            checkout.read(receipts[0], counts=False)
        for receipt in receipts:
            for checkout in checkouts:
                checkout.read(receipt)
        print("\n".join(rows(label, checkouts, len(receipts))), flush=True)
    for checkout in checkouts:
        checkout.process.kill()
        checkout.process.wait()


def rows(label: str, checkouts: list[Checkout], pages: int) -> Iterator[str]:
    first = checkouts[0].seconds
    for each in checkouts:
        words, errors = 100 * each.score.recall, 100 * each.score.error_rate
        yield (
            f"{label:7}{each.name:8}{each.backend:24} words {words:6.2f} %  errors {errors:5.2f} %  "
            f"{1000 * each.seconds / pages:6.0f} ms a page  {first / each.seconds:5.2f} x  peak {each.peak_mb:5.0f} MB"
        )
        parts = (f"{step} {1000 * seconds / pages:.0f}" for step, seconds in each.steps.items())
        yield f"{'':15}of which " + ", ".join(parts)


if __name__ == "__main__":
    main()
