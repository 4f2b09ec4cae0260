"""How well and how fast receipts are read, beside the engine below run plainly on the same files."""

import asyncio
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from benchmarks.ocr_parts.readers import Reader, docsieve, raw_engine
from benchmarks.ocr_parts.receipts import CORPORA, Receipt, photographed, scanned
from benchmarks.ocr_parts.scoring import Score
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer

SETS: dict[str, Callable[[], list[Receipt]]] = {"scans": scanned, "photos": photographed}
UPRIGHT, SLANTED, TURNED = 10, 8, 2
SLANT = 3
RECALL_TOLERANCE, ERROR_TOLERANCE, MIN_SHARE = 0.5, 0.2, 0.9
RECALL, ERRORS = "words read, %", "character errors, %"
SPEED, SHARE = "pages a CPU second", "share of the engine's speed"
COLUMNS = (RECALL, ERRORS, SPEED, SHARE)
METHOD = f"""Receipts of kie_sroie (scans, all lines known) and kie_wildreceipt (photos, labelled fields known, but not
their spaces): {UPRIGHT} of each as they are, {SLANTED} slanted by {SLANT} degrees either way, and {TURNED} turned by
90, 180 and 270 degrees. Docsieve's whole image parser from file to ordered lines beside RapidOCR on the same models,
backend and single thread, its classifier off, given the same file; both in one process for each set, taking turns image
by image, timed by the processor time they take. A word counts when the page's words hold it (a photo's field, when the
page's text without spaces holds it), whatever the case. Character errors are the edits between each true line and the
nearest stretch of what was read. The upright photos have about 200 fields, so that one read by luck is half a point:
worse than the engine means by more than {RECALL_TOLERANCE} points of words or {ERROR_TOLERANCE} of characters."""


@dataclass(frozen=True)
class Case:
    """Receipts, each with the degrees by which it is turned clockwise."""

    label: str
    pages: list[tuple[Receipt, int]]


@dataclass
class Result:
    """One reader on one case."""

    score: Score = field(default_factory=Score)
    seconds: float = 0.0
    pages: int = 0

    def row(self, name: str) -> Row:
        figures = {
            RECALL: 100 * self.score.recall,
            ERRORS: 100 * self.score.error_rate,
            SPEED: self.pages / self.seconds,
        }
        return Row(name, figures)


async def run(_: BenchServer, __: Sequence[str]) -> Section:
    if not CORPORA.is_dir():
        return Section("OCR", "Not measured: the corpora with known text are not beside the repository.", COLUMNS, [])
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(len(SETS), multiprocessing.get_context("spawn")) as processes:
        measured = await asyncio.gather(*(loop.run_in_executor(processes, _measure, label) for label in SETS))
    rows = [row for part, _ in measured for row in part]
    return Section("OCR", METHOD, COLUMNS, rows, [target for _, part in measured for target in part])


def _measure(label: str) -> tuple[list[Row], list[Target]]:
    readers = {"Docsieve": docsieve, "engine alone": raw_engine()}
    receipts = SETS[label]()
    for reader in readers.values():
        reader(receipts[0].image)
    rows: list[Row] = []
    targets: list[Target] = []
    for case in _cases(label, receipts):
        ours, raw = (result.row(f"{case.label}: {name}") for name, result in _compare(case, readers).items())
        ours.figures[SHARE] = ours.figures[SPEED] / raw.figures[SPEED]
        rows += [ours, raw]
        targets += _targets(case, ours, raw)
    return rows, targets


def _cases(label: str, receipts: list[Receipt]) -> list[Case]:
    slanted = [(receipt, skew) for receipt in _spread(receipts, SLANTED) for skew in (-SLANT, SLANT)]
    return [
        Case(label, [(receipt, 0) for receipt in _spread(receipts, UPRIGHT)]),
        Case(f"{label} slanted {SLANT}°", slanted),
        *(
            Case(f"{label} turned {turn}°", [(receipt, turn) for receipt in _spread(receipts, TURNED)])
            for turn in (90, 180, 270)
        ),
    ]


def _spread(receipts: list[Receipt], count: int) -> list[Receipt]:
    return receipts[:: max(1, len(receipts) // count)][:count]


def _compare(case: Case, readers: dict[str, Reader]) -> dict[str, Result]:
    results = {name: Result() for name in readers}
    with tempfile.TemporaryDirectory(prefix="bench-ocr-") as folder:
        for receipt, clockwise in case.pages:
            image = _turned(receipt.image, clockwise, Path(folder)) if clockwise else receipt.image
            for name, reader in readers.items():
                started = time.process_time()
                lines = reader(image)
                results[name].seconds += time.process_time() - started
                results[name].pages += 1
                results[name].score.add(receipt, lines)
    return results


def _turned(image: Path, clockwise: int, folder: Path) -> Path:
    turned = folder / f"{image.stem}.png"
    with Image.open(image) as original:
        upright = original.convert("RGB")
    upright.rotate(-clockwise, Image.Resampling.BICUBIC, expand=True, fillcolor=(255, 255, 255)).save(
        turned, compress_level=1
    )
    return turned


def _targets(case: Case, ours: Row, raw: Row) -> list[Target]:
    recall, errors = raw.figures[RECALL] - RECALL_TOLERANCE, raw.figures[ERRORS] + ERROR_TOLERANCE
    found = [
        Target(f"{case.label}: {RECALL}", recall, ours.figures[RECALL]),
        Target(f"{case.label}: {ERRORS}", errors, ours.figures[ERRORS], at_most=True),
    ]
    if not any(clockwise for _, clockwise in case.pages):
        found.append(Target(f"{case.label}: {SHARE}", MIN_SHARE, ours.figures[SHARE]))
    return found
