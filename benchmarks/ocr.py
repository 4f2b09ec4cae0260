"""How well and how fast receipts are read, beside the engine below run plainly on the same files."""

import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from benchmarks.ocr_parts.readers import Reader, docsieve, raw_engine
from benchmarks.ocr_parts.receipts import CORPORA, Receipt, photographed, scanned
from benchmarks.ocr_parts.scoring import Score
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer

UPRIGHT, CHANGED = 10, 3
RECALL, ERRORS, SPEED, SHARE = "words read, %", "character errors, %", "pages/s", "share of the engine's speed"
COLUMNS = (RECALL, ERRORS, SPEED, SHARE)
METHOD = f"""Receipts of kie_sroie (scans, all lines known) and kie_wildreceipt (photos, labelled fields known, but not
their spaces): {UPRIGHT} of each as they are, and {CHANGED} of each turned by 90, 180 and 270 degrees and slanted by 3
degrees either way. Docsieve's whole image parser from file to ordered lines beside RapidOCR on the same models, backend
and single thread, its classifier off, given the same file; both in one process, taking turns image by image. A word
counts when the page's words hold it (a photo's field, when the page's text without spaces holds it), whatever the case.
Character errors are the edits between each true line and the nearest stretch of what was read."""


@dataclass(frozen=True)
class Case:
    label: str
    receipts: list[Receipt]
    change: Callable[[Image.Image], Image.Image] | None = None


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
    return await asyncio.to_thread(_measure)


def _measure() -> Section:
    readers = {"Docsieve": docsieve, "engine alone": raw_engine()}
    rows: list[Row] = []
    targets: list[Target] = []
    cases = _cases()
    for reader in readers.values():
        reader(cases[0].receipts[0].image)
    for case in cases:
        ours, raw = (result.row(f"{case.label}: {name}") for name, result in _compare(case, readers).items())
        ours.figures[SHARE] = ours.figures[SPEED] / raw.figures[SPEED]
        rows += [ours, raw]
        targets += _targets(case, ours, raw)
    return Section("OCR", METHOD, COLUMNS, rows, targets)


def _cases() -> list[Case]:
    cases = []
    for label, receipts in (("scans", scanned()), ("photos", photographed())):
        cases.append(Case(label, receipts[:: len(receipts) // UPRIGHT][:UPRIGHT]))
        few = receipts[1 :: len(receipts) // CHANGED][:CHANGED]
        cases += [Case(f"{label} turned {turn}°", few, _turning(turn)) for turn in (90, 180, 270)]
        cases += [Case(f"{label} slanted {skew:+}°", few, _turning(skew)) for skew in (-3, 3)]
    return cases


def _turning(clockwise: float) -> Callable[[Image.Image], Image.Image]:
    return lambda image: image.rotate(-clockwise, Image.Resampling.BICUBIC, expand=True, fillcolor=(255, 255, 255))


def _compare(case: Case, readers: dict[str, Reader]) -> dict[str, Result]:
    results = {name: Result() for name in readers}
    with tempfile.TemporaryDirectory(prefix="bench-ocr-") as folder:
        for receipt in case.receipts:
            image = receipt.image
            if case.change is not None:
                image = Path(folder) / f"{image.stem}.png"
                with Image.open(receipt.image) as original:
                    case.change(original.convert("RGB")).save(image, compress_level=1)
            for name, reader in readers.items():
                started = time.perf_counter()
                lines = reader(image)
                results[name].seconds += time.perf_counter() - started
                results[name].pages += 1
                results[name].score.add(receipt, lines)
    return results


def _targets(case: Case, ours: Row, raw: Row) -> list[Target]:
    found = [
        Target(f"{case.label}: words read, %", raw.figures[RECALL], ours.figures[RECALL]),
        Target(f"{case.label}: character errors, %", raw.figures[ERRORS], ours.figures[ERRORS], at_most=True),
    ]
    if case.change is None:
        found.append(Target(f"{case.label}: share of the engine's speed", 0.9, ours.figures[SHARE]))
    return found
