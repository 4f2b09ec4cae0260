"""How honest confidence is on kinds of documents that it was not fitted to.

`make train` leaves out each kind in turn and writes what it says about the values of that kind.
"""

from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from benchmarks.quality_parts.rows import CALIBRATED, calibrated
from benchmarks.report import Row, Target
from docsieve.domain.extraction import DEFAULT_THRESHOLD
from docsieve.evaluation.calibration import Calibration, Rated, calibration

PATH = Path("build/judge/left_out.json")
MAX_ERROR, MIN_PRECISION = 0.10, 0.80
COLUMNS = ("values", *CALIBRATED)
EVERYTHING = "all kinds"


class LeftOut(BaseModel):
    """One value, with the confidence of a judge that saw no document of its kind."""

    kind: str
    confidence: float
    right: bool


_values = TypeAdapter(list[LeftOut])


def load_left_out(path: Path) -> dict[str, Calibration]:
    """By kind, and of all together at the end; empty if the file does not exist."""
    if not path.is_file():
        return {}
    values = _values.validate_json(path.read_bytes())
    kinds = sorted({value.kind for value in values})
    found = {kind: _calibration([value for value in values if value.kind == kind]) for kind in kinds}
    return {**found, EVERYTHING: _calibration(values)}


def left_out_rows(kinds: dict[str, Calibration]) -> list[Row]:
    return [Row(kind, calibrated(each)) for kind, each in kinds.items()]


def left_out_targets(kinds: dict[str, Calibration]) -> list[Target]:
    """For each kind, since a mean hides the kinds that fail. A kind without sure values has no precision to miss."""
    found = []
    for kind, each in kinds.items():
        if each.error is not None:
            found.append(Target(f"left out: {kind}, calibration error", MAX_ERROR, each.error, at_most=True))
        if each.precision is not None:
            found.append(Target(f"left out: {kind}, right at ≥ 0.7", MIN_PRECISION, each.precision))
    return found


def _calibration(values: list[LeftOut]) -> Calibration:
    return calibration((Rated(value.confidence, value.right) for value in values), DEFAULT_THRESHOLD)
