"""Where packets are cut: generated packets of all kinds, and real documents put together."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.packet_parts.figures import Judged, calibration_table, figures, table
from benchmarks.packet_parts.fit import distance, final_model, left_out_scores, models_without_kinds, training_gaps
from benchmarks.packet_parts.gaps import JudgedGap, ReadPage, judged_gaps, read
from benchmarks.packet_parts.packets import TRAITS, Packet, packet
from benchmarks.packet_parts.real import MIXED, OF_ONE_SET, real_packets
from benchmarks.quality import CORPORA
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from docsieve.analysis.packets.score import Model, model

SEEDS, SCAN_SEEDS = range(4), range(1)
"""Scans are read by OCR, so they are few."""
CACHE = Path("build/packets")
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
_CHOSEN = [(seed, trait) for trait in TRAITS for seed in (SCAN_SEEDS if trait == "scan" else SEEDS)]
METHOD = f"""{len(_CHOSEN)} generated packets of up to eight documents (seeds not used for fitting), scanned ones
read by OCR. "kinds left out" are the same packets: the gaps next to each kind of document are judged by weights that
were fitted without that kind. {MIXED + OF_ONE_SET} packets of real documents, whose pages are put together in different
ways, and the real packet of the shared corpora; none was used for fitting. A gap between pages counts as a cut from a
confidence of 0.5; from 0.9 on it is sure and made without a person. An error is flagged if its confidence is between
0.1 and 0.9."""


async def run(_: BenchServer, __: Sequence[str]) -> Section:
    return await asyncio.to_thread(_section)


def _section() -> Section:
    training = training_gaps(CACHE)
    models, judge = models_without_kinds(training), model()
    packets = (packet(seed, trait) for seed, trait in _CHOSEN)
    generated = judged(((each, read(each.content, CACHE)) for each in packets), judge)
    scores = left_out_scores(models, [gap for gap, _ in generated if not gap.has_separator])
    left_out = [(gap, judge.confidence_of(score)) for gap, score in scores]
    real = judged(real_packets(CACHE), judge) if CORPORA.is_dir() else []
    rows = [Row(name, figures(found)) for name, found in [("generated", generated), *_by_trait(generated)]]
    rows += [Row(name, figures(found)) for name, found in [("kinds left out", left_out), *_by_kind(left_out)]]
    rows += [Row(name, figures(found)) for name, found in [("real", real), *_by_trait(real)] if found]
    Console(width=150).print(table("generated", generated), calibration_table(generated))
    return Section(
        "Packets",
        METHOD,
        COLUMNS,
        rows,
        [
            *_targets("in generated packets", generated),
            *_targets("next to kinds that were left out", left_out),
            *(_targets("between real documents", real) if real else ()),
            Target(
                "difference between the weights and their fit",
                0.01,
                distance(final_model(training, models), judge),
                at_most=True,
            ),
        ],
    )


def judged(packets: Iterable[tuple[Packet, Sequence[ReadPage]]], judge: Model) -> list[tuple[JudgedGap, float]]:
    return [
        (gap, _SURE_OF_SEPARATOR if gap.has_separator else judge.confidence(gap.features))
        for each, pages in packets
        for gap in judged_gaps(each, pages)
    ]


def _by_kind(found: Judged) -> list[tuple[str, Judged]]:
    kinds = sorted({gap.kind for gap, _ in found})
    return [(f"without {kind}", [(gap, sure) for gap, sure in found if gap.kind == kind]) for kind in kinds]


def _by_trait(found: Judged) -> list[tuple[str, Judged]]:
    traits = list(dict.fromkeys(gap.trait for gap, _ in found))
    return [(trait, [(gap, sure) for gap, sure in found if gap.trait == trait]) for trait in traits]


def _targets(where: str, found: Judged) -> list[Target]:
    reached = figures(found)
    return [
        Target(f"precision of cuts {where}", 0.9, reached["precision"]),
        Target(f"recall of cuts {where}", 0.9, reached["recall"]),
        Target(f"precision of sure cuts {where}", 0.95, reached["sure_precision"]),
        Target(f"calibration error {where}", 0.05, reached["calibration_error"], at_most=True),
    ]
