"""Quality metrics over all judged fields."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from docsieve.evaluation.scores import Judged, Outcome

BINS = 10

OnPage = Literal["whole", "nearly", "no"]


@dataclass(slots=True)
class Count:
    """`wanted` fields have a true value, `given` ones an extracted value.

    `located` of the `placed` correct values with a known location have evidence there.
    """

    wanted: int = 0
    given: int = 0
    right: int = 0
    exact: int = 0
    proven: int = 0
    placed: int = 0
    located: int = 0

    def add(self, leaf: "Leaf") -> None:
        self.wanted += leaf.outcome is not Outcome.invented
        self.given += leaf.outcome is not Outcome.missed
        if leaf.outcome is Outcome.right:
            self.right += 1
            self.exact += leaf.exact
            self.proven += leaf.proven
            self.placed += leaf.located is not None
            self.located += leaf.located is True

    @property
    def precision(self) -> float:
        return _share(self.right, self.given)

    @property
    def recall(self) -> float:
        return _share(self.right, self.wanted)

    @property
    def f1(self) -> float:
        return _share(2 * self.right, self.given + self.wanted)

    @property
    def exact_f1(self) -> float:
        return _share(2 * self.exact, self.given + self.wanted)

    @property
    def evidence(self) -> float | None:
        """The share of correct values with evidence on a page."""
        return self.proven / self.right if self.right else None

    @property
    def overlap(self) -> float | None:
        """The share of correct values with a known location whose evidence is there."""
        return self.located / self.placed if self.placed else None

    def figures(self) -> dict[str, float | int | None]:
        return {
            "f1": self.f1,
            "precision": self.precision,
            "recall": self.recall,
            "exact_f1": self.exact_f1,
            "evidence": self.evidence,
            "overlap": self.overlap,
            **asdict(self),
        }


@dataclass(slots=True)
class Leaf:
    """The judgment of one field, with its extraction result.

    For a true value that was not found, `on_page` says whether the pages contain it; `nearly` means misspelled.
    """

    pattern: str
    outcome: Outcome
    path: str | None
    truth_path: str | None
    value: Any
    truth: Any
    exact: bool
    confidence: float | None = None
    proven: bool = False
    located: bool | None = None
    on_page: OnPage | None = None
    evidence: list[dict[str, Any]] = field(default_factory=list)
    why: str | None = None

    @classmethod
    def of(cls, judged: Judged) -> "Leaf":
        return cls(
            judged.pattern,
            judged.outcome,
            judged.path,
            judged.truth_path,
            judged.value,
            judged.truth,
            judged.exact,
        )


@dataclass(frozen=True, slots=True)
class Bin:
    """Values with a confidence from `low` to below `high`. The last bin includes 1."""

    low: float
    high: float
    values: int
    confidence: float
    right: float


def count(leaves: Iterable[Leaf]) -> Count:
    total = Count()
    for leaf in leaves:
        total.add(leaf)
    return total


def count_by_field(leaves: Iterable[Leaf]) -> dict[str, Count]:
    counts: dict[str, Count] = {}
    for leaf in leaves:
        counts.setdefault(leaf.pattern, Count()).add(leaf)
    return counts


def not_found(leaves: Iterable[Leaf]) -> tuple[int, int, int]:
    """True values that were not found, and how many of them are misspelled on the pages or not there at all."""
    unfound = [leaf for leaf in leaves if leaf.outcome in (Outcome.wrong, Outcome.missed)]
    nearly, absent = (sum(leaf.on_page == how for leaf in unfound) for how in ("nearly", "no"))
    return len(unfound), nearly, absent


def in_header(leaf: Leaf) -> bool:
    """Whether it is a single field and not part of a list."""
    return "[" not in leaf.pattern


def reliability(leaves: Iterable[Leaf]) -> list[Bin]:
    """The number of correct values per tenth of confidence, without empty tenths."""
    tenths: list[list[Leaf]] = [[] for _ in range(BINS)]
    for leaf in _with_confidence(leaves):
        tenths[min(BINS - 1, int((leaf.confidence or 0.0) * BINS))].append(leaf)
    return [
        Bin(
            number / BINS,
            (number + 1) / BINS,
            len(tenth),
            sum(leaf.confidence or 0.0 for leaf in tenth) / len(tenth),
            _share(sum(leaf.outcome is Outcome.right for leaf in tenth), len(tenth)),
        )
        for number, tenth in enumerate(tenths)
        if tenth
    ]


def calibration_error(bins: Sequence[Bin]) -> float | None:
    """The expected calibration error: the weighted difference between confidence and the share of correct values."""
    values = sum(each.values for each in bins)
    return sum(each.values * abs(each.confidence - each.right) for each in bins) / values if values else None


def at_threshold(leaves: Iterable[Leaf], threshold: float) -> tuple[float | None, float | None]:
    """The precision of values at or above the threshold, and their share of all values."""
    values = list(_with_confidence(leaves))
    above = [leaf for leaf in values if (leaf.confidence or 0.0) >= threshold]
    if not above:
        return None, 0.0 if values else None
    return sum(leaf.outcome is Outcome.right for leaf in above) / len(above), len(above) / len(values)


def _with_confidence(leaves: Iterable[Leaf]) -> Iterable[Leaf]:
    return (leaf for leaf in leaves if leaf.outcome is not Outcome.missed and leaf.confidence is not None)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
