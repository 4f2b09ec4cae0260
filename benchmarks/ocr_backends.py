"""`python -m benchmarks.ocr_backends [receipts]`: the OCR backends of this machine on the same receipts.

Each runs in a process of its own, one after the other. Seconds are processor time per page, models loaded. "Same pages"
are those on which a backend read exactly what the first one did.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from benchmarks.ocr_parts.readers import docsieve
from benchmarks.ocr_parts.receipts import Receipt, photographed, scanned
from benchmarks.ocr_parts.scoring import Score
from docsieve.parsers.ocr.backends import LADDER

RECEIPTS = 40
SETS = {"scans": scanned, "photos": photographed}


@dataclass
class Measured:
    score: Score
    seconds: float
    read: list[list[str]]


def measure(backend: str, receipts: list[Receipt]) -> Measured:
    score, seconds = Score(), 0.0
    read = []
    docsieve(receipts[0].image, backend)
    for receipt in receipts:
        started = time.process_time()
        lines = docsieve(receipt.image, backend)
        seconds += time.process_time() - started
        score.add(receipt, lines)
        read.append(lines)
    return Measured(score, seconds, read)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else RECEIPTS
    print(f"{'receipts':10}{'backend':24}{'words %':>10}{'errors %':>10}{'s/page':>10}{'same pages':>12}")
    for label, load in SETS.items():
        every = load()
        receipts = every[:: max(1, len(every) // count)][:count]
        first: list[list[str]] | None = None
        for backend in (each.name for each in LADDER if each.installed):
            with ProcessPoolExecutor(1, get_context("spawn")) as process:
                found = process.submit(measure, backend, receipts).result()
            first = first or found.read
            same = sum(ours == theirs for ours, theirs in zip(found.read, first, strict=True))
            words, errors = 100 * found.score.recall, 100 * found.score.error_rate
            pace = found.seconds / len(receipts)
            print(f"{label:10}{backend:24}{words:10.2f}{errors:10.2f}{pace:10.3f}{same:9}/{len(receipts)}", flush=True)


if __name__ == "__main__":
    main()
