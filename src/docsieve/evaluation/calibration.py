"""How honest confidence is: how far it is from the share of answers that are right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BINS = 10


@dataclass(frozen=True, slots=True)
class Rated:
    """One answer with its confidence. For an empty field, right means that the document does not have the field."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers with a confidence from `low` to below `high`. The last bin includes 1."""

    low: float
    high: float
    values: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of `values`, `sure` are at or above the threshold; `error` is the expected calibration error."""

    values: int
    error: float | None
    sure: int
    sure_right: int

    @property
    def precision(self) -> float | None:
        """The share right among the sure ones."""
        return self.sure_right / self.sure if self.sure else None

    @property
    def share(self) -> float | None:
        return self.sure / self.values if self.values else None


def calibration(answers: Iterable[Rated], threshold: float) -> Calibration:
    rated = list(answers)
    sure = [each for each in rated if each.confidence >= threshold]
    return Calibration(len(rated), calibration_error(reliability(rated)), len(sure), sum(each.right for each in sure))


def reliability(answers: Iterable[Rated]) -> list[Bin]:
    """The share of right answers per tenth of confidence, without empty tenths."""
    tenths: list[list[Rated]] = [[] for _ in range(BINS)]
    for each in answers:
        tenths[min(BINS - 1, int(each.confidence * BINS))].append(each)
    return [
        Bin(
            number / BINS,
            (number + 1) / BINS,
            len(tenth),
            sum(each.confidence for each in tenth) / len(tenth),
            sum(each.right for each in tenth) / len(tenth),
        )
        for number, tenth in enumerate(tenths)
        if tenth
    ]


def calibration_error(bins: Sequence[Bin]) -> float | None:
    """The expected calibration error: the weighted difference between confidence and the share of right answers."""
    values = sum(each.values for each in bins)
    return sum(each.values * abs(each.confidence - each.right) for each in bins) / values if values else None
