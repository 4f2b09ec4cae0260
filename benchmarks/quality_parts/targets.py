"""What `make eval` has to reach."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.report import Target
from docsieve.evaluation.runs import Run

EVIDENCE, GROUNDED, CALIBRATION = 0.95, 0.90, 0.10
TOLERANCE = 0.01


@dataclass(frozen=True)
class Aim:
    """The least F1 of a set, of its rows only where `rows` says so, and the F1 that it must not fall behind."""

    name: str
    before: float
    wanted: float | None = None
    rows: bool = False


AIMS = (
    Aim("kie_sroie", 0.840, 0.86),
    Aim("kie_zugferd", 0.774, 0.75, rows=True),
    Aim("kie_adbuy", 0.877, 0.88),
    Aim("kie_wildreceipt", 0.685, 0.75),
    Aim("kie_invoice2data", 0.393),
    Aim("kie_azure_tax", 0.814),
    Aim("schema_docubench", 0.606, 0.70),
)


def targets(runs: Mapping[str, Run], real: Sequence[str]) -> list[Target]:
    """For the sets that were measured; those about all sets are over the real ones."""
    found = []
    for aim in AIMS:
        if (run := runs.get(aim.name)) is None:
            continue
        if aim.wanted is not None:
            what = f"{aim.name}, F1 of its rows" if aim.rows else f"{aim.name}, F1"
            found.append(Target(what, aim.wanted, run.rows.f1 if aim.rows else run.total.f1))
        found.append(Target(f"{aim.name}, F1 no worse than {aim.before:g}", aim.before - TOLERANCE, run.total.f1))
    documents = [each for name in real if name in runs for each in runs[name].documents]
    everything = Run("all", "", "", 0.0, documents=documents)
    if everything.total.evidence is not None:
        found.append(Target("right values with evidence, real sets", EVIDENCE, everything.total.evidence))
    if everything.total.grounding is not None:
        found.append(Target("evidence with IoU ≥ 0.5", GROUNDED, everything.total.grounding))
    if everything.calibration.error is not None:
        found.append(Target("calibration error, real sets", CALIBRATION, everything.calibration.error, at_most=True))
    return found
