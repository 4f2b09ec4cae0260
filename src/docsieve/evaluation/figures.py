"""Quality metrics over all judged fields."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from docsieve.domain.extraction import Evidence
from docsieve.evaluation.calibration import Rated
from docsieve.evaluation.scores import ErrorKind, Judged, Outcome

GROUNDED_IOU = 0.5

OnPage = Literal["whole", "nearly", "no"]


@dataclass(slots=True)
class Count:
    """`wanted` fields have a true value, `given` ones an extracted value.

    `located` of the `placed` correct values with a known location have evidence there: an intersection over union (IoU)
    of at least one half.
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
            self.placed += leaf.iou is not None
            self.located += leaf.iou is not None and leaf.iou >= GROUNDED_IOU

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
    def grounding(self) -> float | None:
        """The share of correct values with a known location whose evidence is there."""
        return self.located / self.placed if self.placed else None

    def figures(self) -> dict[str, float | int | None]:
        return {
            "f1": self.f1,
            "precision": self.precision,
            "recall": self.recall,
            "exact_f1": self.exact_f1,
            "evidence": self.evidence,
            "grounding": self.grounding,
            **asdict(self),
        }


@dataclass(slots=True)
class Leaf:
    """The judgment of one field, with its extraction result.

    For a true value that was not found, `on_page` says whether the pages contain it; `nearly` means misspelled. `iou`
    compares the evidence of a right value with its true location, where that is known.
    """

    pattern: str
    outcome: Outcome
    path: str | None
    truth_path: str | None
    value: Any
    truth: Any
    exact: bool
    in_extra_item: bool = False
    error: ErrorKind | None = None
    confidence: float | None = None
    proven: bool = False
    iou: float | None = None
    on_page: OnPage | None = None
    evidence: list[Evidence] = field(default_factory=list)
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
            judged.in_extra_item,
        )


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


def not_on_page(leaves: Iterable[Leaf]) -> int:
    """How many true values that were not found are on no page, not even approximately."""
    return sum(leaf.on_page == "no" for leaf in leaves)


def in_header(leaf: Leaf) -> bool:
    """Whether it is a single field and not part of a list."""
    return "[" not in leaf.pattern


def rated(leaves: Iterable[Leaf]) -> list[Rated]:
    """The values that were given, with their confidence."""
    return [
        Rated(leaf.confidence, leaf.outcome is Outcome.right)
        for leaf in leaves
        if leaf.outcome is not Outcome.missed and leaf.confidence is not None
    ]


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
