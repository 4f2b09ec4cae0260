"""Where packets are cut: generated packets of all kinds, and real documents put together."""

import asyncio
import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pypdfium2
from PIL import Image
from rich.console import Console

from benchmarks.packet_parts.figures import Judged, calibration_table, figures, table
from benchmarks.packet_parts.fit import scores_of_left_out_kinds, training_gaps
from benchmarks.packet_parts.gaps import JudgedGap, judged_gaps
from benchmarks.packet_parts.packets import TRAITS, Packet, packet
from benchmarks.quality import CORPORA
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from docsieve.analysis.packets.score import model

SEEDS = range(5)
CACHE = Path("build/packets")
REAL_SETS = ("kie_zugferd", "kie_adbuy", "kie_invoice2data", "kie_azure_tax", "schema_docubench", "kie_sroie")
REAL_PACKETS = 12
_MAX_PAGES = 12
_SURE_OF_SEPARATOR = 0.99
COLUMNS = (
    "gaps",
    "cuts",
    "precision",
    "recall",
    "f1",
    "sure_precision",
    "sure_share",
    "errors",
    "errors_flagged",
    "calibration_error",
)
METHOD = f"""{len(SEEDS) * len(TRAITS)} generated packets of up to eight documents (seeds not used for fitting),
scanned ones read by OCR. "kinds left out" are the same packets: the gaps next to each kind of document are judged by
weights that were fitted without that kind. {REAL_PACKETS} packets of real documents, and the real packet of the shared
corpora, none of which was used for fitting. A gap between pages counts as a cut from a confidence of 0.5; from 0.9 on
it is sure and made without a person. An error is flagged if its confidence is between 0.1 and 0.9."""


async def run(_: BenchServer, __: Sequence[str]) -> Section:
    generated = await asyncio.to_thread(judged, (packet(seed, trait) for seed in SEEDS for trait in TRAITS))
    left_out = await asyncio.to_thread(without_their_kinds, generated)
    real = await asyncio.to_thread(judged, real_packets()) if CORPORA.is_dir() else []
    rows = [Row(name, figures(found)) for name, found in [("generated", generated), *_by_trait(generated)]]
    rows += [Row(name, figures(found)) for name, found in [("kinds left out", left_out), *_by_kind(left_out)]]
    rows += [Row(name, figures(found)) for name, found in _by_trait(real)]
    Console(width=150).print(table("generated", generated), calibration_table(generated))
    return Section("Packets", METHOD, COLUMNS, rows, [*_targets(generated), *_targets_of_left_out(left_out)])


def judged(packets: Iterator[Packet]) -> list[tuple[JudgedGap, float]]:
    judge = model()
    return [
        (gap, _SURE_OF_SEPARATOR if gap.has_separator else judge.confidence(gap.features))
        for each in packets
        for gap in judged_gaps(each, CACHE)
    ]


def without_their_kinds(found: Judged) -> list[tuple[JudgedGap, float]]:
    """The same gaps as if the kinds of documents next to them had never been seen. The curve has seen all kinds."""
    judge = model()
    gaps = [gap for gap, _ in found if not gap.has_separator]
    return [(gap, judge.confidence_of(score)) for gap, score in scores_of_left_out_kinds(training_gaps(CACHE), gaps)]


def _by_kind(found: Judged) -> list[tuple[str, Judged]]:
    kinds = sorted({gap.kind for gap, _ in found})
    return [(f"without {kind}", [(gap, sure) for gap, sure in found if gap.kind == kind]) for kind in kinds]


def _by_trait(found: Judged) -> list[tuple[str, Judged]]:
    traits = list(dict.fromkeys(gap.trait for gap, _ in found))
    return [(trait, [(gap, sure) for gap, sure in found if gap.trait == trait]) for trait in traits]


def _targets(found: Judged) -> list[Target]:
    reached = figures(found)
    return [
        Target("precision of cuts in generated packets", 0.9, reached["precision"]),
        Target("recall of cuts in generated packets", 0.9, reached["recall"]),
        Target("precision of sure cuts", 0.95, reached["sure_precision"]),
        Target("calibration error", 0.05, reached["calibration_error"], at_most=True),
    ]


def _targets_of_left_out(found: Judged) -> list[Target]:
    reached = figures(found)
    return [
        Target("precision of cuts next to kinds that were left out", 0.9, reached["precision"]),
        Target("recall of cuts next to kinds that were left out", 0.9, reached["recall"]),
    ]


def real_packets() -> Iterator[Packet]:
    """Real documents of one set after the other, and a mix of all sets. Files kept for later judgments are left out."""
    files = {name: list(_files(name)) for name in REAL_SETS}
    for number in range(REAL_PACKETS):
        rng = Random(number)
        name = REAL_SETS[number % len(REAL_SETS)] if number % 2 else "mixed"
        pool = [path for each in files.values() for path in each] if name == "mixed" else files[name]
        if len(pool) > 1:
            yield _joined(f"real-{number}", f"real: {name}", rng.sample(pool, min(len(pool), rng.randint(3, 6))))
    shipped = CORPORA / "packets" / "taxes-combined.pdf"
    if shipped.is_file():
        truth = json.loads((shipped.parent / "ground_truth.jsonl").read_text().splitlines()[0])["fields"]["pages"]
        kinds = {each["page"]: each["part"] for each in truth if each["part_page"] == 1}
        yield Packet("taxes-combined", "real: shared packet", shipped.read_bytes(), len(truth), kinds)


def _files(name: str) -> Iterator[Path]:
    kept = CORPORA.parent / "heldout.sha256"
    unseen = set(kept.read_text().split()) if kept.is_file() else set()
    for path in sorted((CORPORA / name).rglob("*")):
        if (
            path.suffix.lower() in (".pdf", ".jpg", ".png")
            and hashlib.sha256(path.read_bytes()).hexdigest() not in unseen
        ):
            yield path


def _joined(name: str, trait: str, paths: Sequence[Path]) -> Packet:
    joined = pypdfium2.PdfDocument.new()
    made = Packet(name, trait, b"")
    for path in paths:
        content = path.read_bytes() if path.suffix.lower() == ".pdf" else _as_pdf(path)
        try:
            document = pypdfium2.PdfDocument(content)
        except pypdfium2.PdfiumError:
            continue
        pages = min(len(document), _MAX_PAGES)
        made.kinds[len(joined) + 1] = path.parent.name
        joined.import_pages(document, pages=list(range(pages)))
    file = io.BytesIO()
    joined.save(file)
    made.content, made.page_count = file.getvalue(), len(joined)
    return made


def _as_pdf(path: Path) -> bytes:
    file = io.BytesIO()
    with Image.open(path) as image:
        image.convert("RGB").save(file, "PDF", resolution=150)
    return file.getvalue()
