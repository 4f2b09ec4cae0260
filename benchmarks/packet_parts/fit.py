"""`python -m benchmarks.packet_parts.fit`: fits how likely a gap between pages is a cut.

Each kind of document is left out in turn: the gaps next to its pages are judged by weights that were fitted on the gaps
between pages of other kinds. The curve that turns scores into confidence is fitted on those judgments and then moved to
the share of cuts that packets have outside (decision 62). The weights that are written in the end have seen all kinds.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console

from benchmarks.packet_parts.figures import calibration_table, table
from benchmarks.packet_parts.gaps import JudgedGap, judged_gaps, read
from benchmarks.packet_parts.packets import TRAITS, packet
from docsieve.analysis.packets.score import REASONS, Model, logistic, model

WEIGHTS = Path(__file__).parents[2] / "src" / "docsieve" / "analysis" / "packets" / "weights.json"
SEEDS, SCAN_SEEDS = range(1000, 1020), range(1000, 1001)
"""Apart from the seeds of the benchmark, which judges packets that were never used for fitting."""

CUT_SHARE = 1 / 3
"""Of all gaps in packets that people send; generated packets have more cuts. Decision 62 says where it comes from."""

_FOR = """
number_restarts number_restarts_bare number_conflicts number_last number_only header_differs footer_differs size_changes
origin_changes text_size_changes margin_changes language_changes class_changes id_changes account_changes title
kind_named salutation date address address_and_date closing blank page_half_empty header_appears
large_title twin like_first_page number_first_of heights_differ edges_differ unlike strangers opens number_returns
pairs_change heading_again total positions_restart
"""
_AGAINST = """
number_continues number_continues_bare number_later number_later_bare number_unfinished header_same footer_same
columns_same words_shared names_shared id_same id_repeated codes_shared appendix carried_over continues_overleaf
clauses_continue date_same address_same starts_mid_sentence ends_mid_sentence table_continues text_size_same
class_same appendix_named number_stays pairs_same positions_continue
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
    "number_returns": 0.5, "number_stays": -1.0, "pairs_same": -1.0, "pairs_change": 1.0, "heading_again": 0.5,
    "positions_continue": -2.0, "positions_restart": 1.0, "total": 0.5,
    "footer_same": -0.3, "class_changes": 1.0, "account_changes": 0.5, "closing": 0.5,
}  # fmt: skip
"""What is expected of cues before any packet is seen; cues that generated packets lack keep it."""
_NAMES = tuple(REASONS)
_RIDGE = 2.0
_STEPS, _SWEEPS = 12, 30
_CERTAIN = 0.985

Vector = NDArray[np.float64]


def _bounds() -> tuple[Vector, Vector]:
    """A feature whose direction is plain may not turn around by accident. The last one is the bias."""
    lower = [0.0 if name in _FOR.split() else -np.inf for name in _NAMES]
    upper = [0.0 if name in _AGAINST.split() else np.inf for name in _NAMES]
    return np.array([*lower, -np.inf]), np.array([*upper, np.inf])


def fit(gaps: Sequence[JudgedGap]) -> Model:
    """Logistic regression with a ridge around the expected weights, by Newton's method within the bounds."""
    data = np.array([[*(gap.features.get(name, 0.0) for name in _NAMES), 1.0] for gap in gaps])
    truth = np.array([gap.is_cut for gap in gaps], dtype=float)
    expected = np.array([*(_PRIOR.get(name, 0.0) for name in _NAMES), 0.0])
    ridge = np.array([_RIDGE] * len(_NAMES) + [1e-3])
    weights = expected
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-(data @ weights)))
        slope = data.T @ (likely - truth) + ridge * (weights - expected)
        bend = (data.T * (likely * (1 - likely))) @ data + np.diag(ridge)
        weights = _bounded_step(weights, slope, bend)
    *found, bias = weights
    kept = {name: round(float(weight), 3) for name, weight in zip(_NAMES, found, strict=True) if abs(weight) > 0.01}
    return Model(round(float(bias), 3), kept, [])


def _bounded_step(weights: Vector, slope: Vector, bend: Vector) -> Vector:
    """The lowest point of a parabola within the bounds, one coordinate after the other."""
    lower, upper = _bounds()
    step = np.zeros_like(weights)
    for _ in range(_SWEEPS):
        for at in range(len(weights)):
            moved = weights[at] + step[at] - (slope[at] + bend[at] @ step) / bend[at, at]
            step[at] = min(max(moved, lower[at]), upper[at]) - weights[at]
    return weights + step


def curve(scores: Vector, truth: Vector) -> list[tuple[float, float]]:
    """The share of cuts by score, as a logistic curve with its own slope and shift, for packets with CUT_SHARE cuts."""
    slope, shift = 1.0, 0.0
    for _ in range(4000):
        error = 1 / (1 + np.exp(-(slope * scores + shift))) - truth
        slope -= 0.02 * float((error * scores).mean())
        shift -= 0.05 * float(error.mean())
    shift += _log_odds(CUT_SHARE) - _log_odds(float(truth.mean()))
    grid = np.arange(-6.0, 8.5, 0.5)
    points = [(float(x), min(max(logistic(slope * x + shift), 1 - _CERTAIN), _CERTAIN)) for x in grid]
    return [(x, round(y, 4)) for x, y in points]


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))


def training_gaps(cache: Path) -> list[JudgedGap]:
    """Of packets that the benchmark does not judge. Separator sheets need no weights."""
    chosen = [(seed, trait) for seed in SEEDS for trait in TRAITS if trait not in ("scan", "separators")]
    chosen += [(seed, "scan") for seed in SCAN_SEEDS]
    made = (packet(seed, trait) for seed, trait in chosen)
    return [gap for each in made for gap in judged_gaps(each, read(each.content, cache)) if not gap.has_separator]


def models_without_kinds(training: Sequence[JudgedGap]) -> dict[str, Model]:
    """For each kind, a model that has not seen any page of it."""
    kinds = sorted({gap.kind for gap in training} | {gap.kind_before for gap in training})
    return {kind: fit([gap for gap in training if kind not in (gap.kind, gap.kind_before)]) for kind in kinds}


def left_out_scores(models: Mapping[str, Model], gaps: Sequence[JudgedGap]) -> list[tuple[JudgedGap, float]]:
    """A gap between two kinds is judged twice, each time without one of them."""
    return [
        (replace(gap, kind=kind), models[kind].score(gap.features))
        for gap in gaps
        for kind in sorted({gap.kind, gap.kind_before})
    ]


def final_model(training: Sequence[JudgedGap], models: Mapping[str, Model]) -> Model:
    """Weights that have seen all kinds, with the curve of those that have not."""
    left_out = left_out_scores(models, training)
    scores, truth = [score for _, score in left_out], [gap.is_cut for gap, _ in left_out]
    return fit(training)._replace(curve=curve(np.array(scores), np.array(truth, dtype=float)))


def distance(one: Model, two: Model) -> float:
    """The largest difference between two models in a weight, the bias or a point of the curve."""
    names = {*one.weights, *two.weights}
    weights = [abs(one.weights.get(name, 0.0) - two.weights.get(name, 0.0)) for name in names]
    points = [abs(one.confidence_of(x) - two.confidence_of(x)) for x, _ in one.curve]
    return max(*weights, *points, abs(one.bias - two.bias))


def main(
    cache: Annotated[Path, typer.Option(help="folder for pages that were read")] = Path("build/packets"),
    write: Annotated[bool, typer.Option(help="write the weights")] = False,
) -> None:
    console = Console(width=150)
    gaps = training_gaps(cache)
    models = models_without_kinds(gaps)
    final = final_model(gaps, models)
    judged = [(gap, final.confidence_of(score)) for gap, score in left_out_scores(models, gaps)]
    console.print(table(f"{len(gaps)} gaps, each kind left out when fitting", judged), calibration_table(judged))
    for name, weight in sorted(final.weights.items(), key=lambda item: item[1]):
        console.print(f"{weight:8.2f}  {name}")
    console.print(f"largest difference from the weights in use: {distance(final, model()):.3f}")
    if write:
        stored = {"bias": final.bias, "weights": dict(final.weights), "curve": final.curve}
        WEIGHTS.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
