"""`python -m benchmarks.packet_parts.fit`: fits how likely a gap between pages is a cut.

Each kind of document is left out in turn: the gaps next to its pages are judged by weights that were fitted on the gaps
between pages of other kinds. The curve that turns scores into confidence is fitted on those judgments. The weights that
are written in the end have seen all kinds.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console

from benchmarks.packet_parts.figures import calibration_table, table
from benchmarks.packet_parts.gaps import JudgedGap, judged_gaps
from benchmarks.packet_parts.packets import TRAITS, packet
from docsieve.analysis.packets.score import REASONS, Model, logistic

WEIGHTS = Path(__file__).parents[2] / "src" / "docsieve" / "analysis" / "packets" / "weights.json"
SEEDS, SCAN_SEEDS = range(1000, 1020), range(1000, 1003)
"""Apart from the seeds of the benchmark, which judges packets that were never used for fitting."""

_FOR = """
number_restarts number_restarts_bare number_conflicts number_last number_only header_differs footer_differs size_changes
origin_changes text_size_changes margin_changes language_changes class_changes id_changes account_changes title
kind_named salutation date address address_and_date closing blank page_half_empty header_appears
large_title twin like_first_page number_first_of heights_differ edges_differ unlike strangers opens
"""
_AGAINST = """
number_continues number_continues_bare number_later number_later_bare number_unfinished header_same footer_same
columns_same words_shared names_shared id_same id_repeated codes_shared appendix carried_over continues_overleaf
clauses_continue date_same address_same starts_mid_sentence ends_mid_sentence table_continues text_size_same
class_same appendix_named
"""
_PRIOR = {
    "number_restarts": 2.5, "number_first_of": 1.0, "unlike": 1.0, "strangers": 1.0, "opens": 0.5,
    "appendix_named": -0.5, "number_restarts_bare": 1.5, "number_conflicts": 2.0, "number_last": 2.0,
    "number_only": 2.0,
    "number_continues": -2.5, "number_continues_bare": -2.0, "number_later": -1.5, "number_later_bare": -0.5,
    "number_unfinished": -1.5, "appendix": -1.5, "carried_over": -2.0, "continues_overleaf": -2.0,
    "clauses_continue": -1.5, "id_same": -1.5, "id_repeated": -1.0, "id_changes": 1.5, "starts_mid_sentence": -1.0,
    "ends_mid_sentence": -1.0, "table_continues": -1.0, "language_changes": 1.5, "size_changes": 1.5,
    "origin_changes": 1.0, "salutation": 1.0, "twin": 1.0, "like_first_page": 1.0, "header_same": -0.5,
    "footer_same": -0.3, "class_changes": 1.0, "account_changes": 0.5, "closing": 0.5,
}  # fmt: skip
"""What is expected of cues before any packet is seen; cues that generated packets lack keep it."""
_NAMES = tuple(REASONS)
_RIDGE = 2.0
_STEPS = 4000
_CERTAIN = 0.985

Vector = NDArray[np.float64]


def _matrix(gaps: Sequence[JudgedGap]) -> Vector:
    return np.array([[gap.features.get(name, 0.0) for name in _NAMES] for gap in gaps])


def fit(gaps: Sequence[JudgedGap]) -> Model:
    """Logistic regression with a ridge; a feature whose direction is plain may not turn around by accident."""
    data, truth = _matrix(gaps), np.array([gap.is_cut for gap in gaps], dtype=float)
    lower = np.array([0.0 if name in _FOR.split() else -np.inf for name in _NAMES])
    upper = np.array([0.0 if name in _AGAINST.split() else np.inf for name in _NAMES])
    prior = np.array([_PRIOR.get(name, 0.0) for name in _NAMES])
    weights, bias = prior.copy(), 0.0
    rate = 4.0 / len(gaps)
    velocity, drift = np.zeros_like(weights), 0.0
    for _ in range(_STEPS):
        error = 1 / (1 + np.exp(-(data @ weights + bias))) - truth
        velocity = 0.9 * velocity - rate * (data.T @ error + _RIDGE * (weights - prior)) * 0.1
        drift = 0.9 * drift - rate * error.sum() * 0.1
        weights, bias = np.clip(weights + velocity, lower, upper), bias + drift
    return Model(
        bias,
        {name: round(float(weight), 3) for name, weight in zip(_NAMES, weights, strict=True) if abs(weight) > 0.01},
        [],
    )


def curve(scores: Vector, truth: Vector) -> list[tuple[float, float]]:
    """The share of cuts by score, as a logistic curve with its own slope and shift."""
    slope, shift = 1.0, 0.0
    for _ in range(4000):
        error = 1 / (1 + np.exp(-(slope * scores + shift))) - truth
        slope -= 0.02 * float((error * scores).mean())
        shift -= 0.05 * float(error.mean())
    grid = np.arange(-6.0, 6.5, 0.5)
    points = [(float(x), min(max(logistic(slope * x + shift), 1 - _CERTAIN), _CERTAIN)) for x in grid]
    return [(x, round(y, 4)) for x, y in points]


def training_gaps(cache: Path) -> list[JudgedGap]:
    """Of packets that the benchmark does not judge. Separator sheets need no weights."""
    chosen = [(seed, trait) for seed in SEEDS for trait in TRAITS if trait not in ("scan", "separators")]
    chosen += [(seed, "scan") for seed in SCAN_SEEDS]
    return [gap for seed, trait in chosen for gap in judged_gaps(packet(seed, trait), cache) if not gap.has_separator]


def scores_of_left_out_kinds(
    training: Sequence[JudgedGap], judged: Sequence[JudgedGap]
) -> list[tuple[JudgedGap, float]]:
    """The scores of gaps next to pages of a kind, by weights that were fitted without that kind, for each kind.

    A gap between two kinds is judged twice, each time without one of them.
    """
    found: list[tuple[JudgedGap, float]] = []
    for kind in sorted({gap.kind for gap in judged}):
        model = fit([gap for gap in training if kind not in (gap.kind, gap.kind_before)])
        affected = [gap for gap in judged if kind in (gap.kind, gap.kind_before)]
        found += [(replace(gap, kind=kind), model.score(gap.features)) for gap in affected]
    return found


def main(
    cache: Annotated[Path, typer.Option(help="folder for pages that were read")] = Path("build/packets"),
    write: Annotated[bool, typer.Option(help="write the weights")] = False,
) -> None:
    console = Console(width=150)
    gaps = training_gaps(cache)
    left_out = scores_of_left_out_kinds(gaps, gaps)
    points = curve(np.array([score for _, score in left_out]), np.array([gap.is_cut for gap, _ in left_out], float))
    final = fit(gaps)._replace(curve=points)
    judged = [(gap, final.confidence_of(score)) for gap, score in left_out]
    console.print(table(f"{len(gaps)} gaps, each kind left out when fitting", judged), calibration_table(judged))
    for name, weight in sorted(final.weights.items(), key=lambda item: item[1]):
        console.print(f"{weight:8.2f}  {name}")
    if write:
        stored = {"bias": round(final.bias, 3), "weights": dict(final.weights), "curve": points}
        WEIGHTS.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
