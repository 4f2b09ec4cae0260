"""How honest confidence is on kinds of documents that it was not fitted to.

`python -m benchmarks.judge.train` leaves out each kind in turn and writes what it says about the values of that kind.
"""

from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from benchmarks.quality_parts.rows import SURE_ERROR, SURE_PRECISION, SURE_VALUES
from benchmarks.report import Row, Target
from docsieve.domain.extraction import DEFAULT_THRESHOLD
from docsieve.evaluation.figures import Calibration, Leaf, calibration
from docsieve.evaluation.scores import Outcome

PATH = Path("build/judge/left_out.json")
MAX_ERROR, MIN_PRECISION = 0.10, 0.80
COLUMNS = ("values", SURE_ERROR, SURE_PRECISION, SURE_VALUES)
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
    rows = []
    for kind, each in kinds.items():
        measured = {
            "values": each.values,
            SURE_ERROR: each.error,
            SURE_PRECISION: each.precision,
            SURE_VALUES: each.sure,
        }
        rows.append(Row(kind, {column: value for column, value in measured.items() if value is not None}))
    return rows


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
    leaves = [
        Leaf(
            value.kind,
            Outcome.right if value.right else Outcome.wrong,
            "",
            "",
            None,
            None,
            exact=False,
            confidence=value.confidence,
        )
        for value in values
    ]
    return calibration(leaves, DEFAULT_THRESHOLD)
