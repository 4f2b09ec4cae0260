"""`python -m benchmarks.packet_parts.fit`: fits how likely a gap between pages is a cut.

The kinds of documents are split into folds. Each fold's packets consist of its kinds only, and are judged by weights
that were fitted on packets of the other kinds; the curve that turns scores into confidence is fitted on those
judgments. The weights that are written in the end have seen all kinds.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console

from benchmarks.packet_parts.figures import table
from benchmarks.packet_parts.gaps import JudgedGap, judged_gaps
from benchmarks.packet_parts.packets import KINDS, TRAITS, packet
from docsieve.analysis.packets.score import REASONS, Model, logistic

WEIGHTS = Path(__file__).parents[2] / "src" / "docsieve" / "analysis" / "packets" / "weights.json"
FOLDS = 4
_FIRST_SEED = 1000
"""Apart from the seeds of the benchmark, which judges packets that were never used for fitting."""

_FOR = """
number_restarts number_restarts_bare number_conflicts number_last number_only header_differs footer_differs size_changes
origin_changes text_size_changes margin_changes language_changes class_changes id_changes account_changes title
kind_named salutation date address address_and_date closing blank page_half_empty header_appears
large_title twin like_first_page
"""
_AGAINST = """
number_continues number_continues_bare number_later number_later_bare number_unfinished header_same footer_same
columns_same words_shared names_shared id_same id_repeated codes_shared appendix carried_over continues_overleaf
clauses_continue date_same address_same starts_mid_sentence ends_mid_sentence table_continues text_size_same
class_same
"""
_PRIOR = {
    "number_restarts": 2.5, "number_restarts_bare": 1.5, "number_conflicts": 2.0, "number_last": 2.0,
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


def gaps_of(kinds: Sequence[str], seeds: Iterable[int], traits: Sequence[str], cache: Path) -> list[JudgedGap]:
    found: list[JudgedGap] = []
    for seed in seeds:
        for trait in traits:
            # separator sheets need no weights
            found += [gap for gap in judged_gaps(packet(seed, trait, kinds), cache) if not gap.has_separator]  # type: ignore[arg-type]
    return found


def main(
    cache: Annotated[Path, typer.Option(help="folder for pages that were read")] = Path("build/packets"),
    seeds: Annotated[int, typer.Option(help="packets per trait and fold")] = 12,
    scans: Annotated[int, typer.Option(help="scanned packets per fold")] = 2,
    write: Annotated[bool, typer.Option(help="write the weights")] = False,
) -> None:
    console = Console(width=150)
    digital = [trait for trait in TRAITS if trait not in ("scan", "separators")]
    kinds = sorted(KINDS)
    everything: list[JudgedGap] = []
    held_out: list[tuple[JudgedGap, float]] = []
    for fold in range(FOLDS):
        left_out = kinds[fold::FOLDS]
        others = [kind for kind in kinds if kind not in left_out]
        base = _FIRST_SEED * (fold + 1)
        training = gaps_of(others, range(base, base + seeds), digital, cache)
        training += gaps_of(others, range(base, base + scans), ["scan"], cache)
        testing = gaps_of(left_out, range(base, base + seeds), digital, cache)
        testing += gaps_of(left_out, range(base, base + scans), ["scan"], cache)
        model = fit(training)
        held_out += [(gap, model.score(gap.features)) for gap in testing]
        everything += training + testing
        console.print(
            f"fold {fold + 1}: left out {', '.join(left_out)}; {len(training)} gaps fitted, {len(testing)} judged"
        )
    scores = np.array([score for _, score in held_out])
    truth = np.array([gap.is_cut for gap, _ in held_out], dtype=float)
    points = curve(scores, truth)
    final = fit(everything)._replace(curve=points)
    judge = Model(0.0, {}, points)
    console.print(table("kinds left out when fitting", [(gap, _at(judge, score)) for gap, score in held_out]))
    for name, weight in sorted(final.weights.items(), key=lambda item: item[1]):
        console.print(f"{weight:8.2f}  {name}")
    if write:
        stored = {"bias": round(final.bias, 3), "weights": dict(final.weights), "curve": points}
        WEIGHTS.write_text(json.dumps(stored, indent=1) + "\n")


def _at(judge: Model, score: float) -> float:
    return judge._replace(bias=score).confidence({})


if __name__ == "__main__":
    typer.run(main)
