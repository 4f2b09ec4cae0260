"""An evaluation run: its figures, and the differences from an earlier run."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from docsieve.errors import Invalid
from docsieve.evaluation.calibration import Bin, Calibration, Rated, calibration, reliability
from docsieve.evaluation.errors import count_errors
from docsieve.evaluation.figures import Count, Leaf, count, count_by_field, in_header, not_on_page, rated
from docsieve.evaluation.row_kinds import rows_by_kind

FORMAT = 1


@dataclass(slots=True)
class DocumentRun:
    """What became of one document; `pages` are its number, and the seconds what each step took.

    `kind` is its schema where the documents have different ones, else its class. `empty` rates the single fields
    without a value whose truth is known.
    """

    file: str
    leaves: list[Leaf] = field(default_factory=list)
    kind: str = ""
    empty: list[Rated] = field(default_factory=list)
    error: str | None = None
    needs_review: bool = False
    pages: int = 0
    reading_seconds: float = 0.0
    extracting_seconds: float = 0.0
    cost: float = 0.0


@dataclass(slots=True)
class Run:
    """`schema` is its name or `each its own`; `not_asked` counts truths that the schema has no field for."""

    dataset: str
    schema: str
    engine: str
    threshold: float
    model: str | None = None
    documents: list[DocumentRun] = field(default_factory=list)
    seconds: float = 0.0
    not_asked: int = 0
    version: str = ""
    format: int = FORMAT

    @property
    def leaves(self) -> list[Leaf]:
        return [leaf for document in self.documents for leaf in document.leaves]

    @property
    def total(self) -> Count:
        return count(self.leaves)

    @property
    def header(self) -> Count:
        return count(leaf for leaf in self.leaves if in_header(leaf))

    @property
    def rows(self) -> Count:
        return count(leaf for leaf in self.leaves if not in_header(leaf))

    @property
    def by_field(self) -> dict[str, Count]:
        return count_by_field(self.leaves)

    @property
    def bins(self) -> list[Bin]:
        return reliability(rated(self.leaves))

    @property
    def rows_by_kind(self) -> dict[str, Count]:
        return rows_by_kind(document.leaves for document in self.documents)

    @property
    def by_kind(self) -> dict[str, "Kind"]:
        """The documents of each kind, largest first."""
        grouped: dict[str, list[DocumentRun]] = {}
        for document in self.documents:
            grouped.setdefault(document.kind, []).append(document)
        kinds = {name: Kind.of(documents, self.threshold) for name, documents in grouped.items()}
        return dict(sorted(kinds.items(), key=lambda each: (-each[1].documents, each[0])))

    @property
    def calibration(self) -> Calibration:
        return calibration(rated(self.leaves), self.threshold)

    @property
    def empty(self) -> Calibration:
        """How honest confidence is for single fields without a value; right is one that the document does not have."""
        return calibration((each for document in self.documents for each in document.empty), self.threshold)

    @property
    def failed(self) -> int:
        return sum(document.error is not None for document in self.documents)

    def figures(self) -> dict[str, Any]:
        """What a reader of the JSON wants first."""
        sure = self.calibration
        return {
            "overall": self.total.figures(),
            "header": self.header.figures(),
            "rows": self.rows.figures(),
            "rows_by_kind": {name: each.figures() for name, each in self.rows_by_kind.items()},
            "fields": {name: each.figures() for name, each in self.by_field.items()},
            "kinds": {name: each.figures() for name, each in self.by_kind.items()},
            **_calibrated(sure),
            "share_at_threshold": sure.share,
            "empty": {"fields": self.empty.values, **_calibrated(self.empty)},
            "reliability": [asdict(each) for each in self.bins],
            "errors": {kind.value: number for kind, number in count_errors(self.leaves).items()},
            "needs_review": sum(document.needs_review for document in self.documents),
            "documents": len(self.documents),
            "failed": self.failed,
            "cost": sum(document.cost for document in self.documents),
            "seconds": self.seconds,
            "reading_seconds": sum(document.reading_seconds for document in self.documents),
            "extracting_seconds": sum(document.extracting_seconds for document in self.documents),
            "not_asked": self.not_asked,
            "not_on_page": not_on_page(self.leaves),
        }


@dataclass(frozen=True, slots=True)
class Kind:
    """The documents of one kind together."""

    documents: int
    total: Count
    calibration: Calibration

    @classmethod
    def of(cls, documents: Sequence[DocumentRun], threshold: float) -> "Kind":
        leaves = [leaf for document in documents for leaf in document.leaves]
        return cls(len(documents), count(leaves), calibration(rated(leaves), threshold))

    def figures(self) -> dict[str, Any]:
        return {"documents": self.documents, "f1": self.total.f1, **_calibrated(self.calibration)}


def _calibrated(each: Calibration) -> dict[str, Any]:
    return {
        "calibration_error": each.error,
        "precision_at_threshold": each.precision,
        "values_at_threshold": each.sure,
    }


_runs = TypeAdapter(Run)


def save_run(run: Run, path: Path) -> None:
    path.write_text(json.dumps({"figures": run.figures(), "run": asdict(run)}, ensure_ascii=False, indent=1) + "\n")


def load_run(path: Path) -> Run:
    try:
        run = _runs.validate_python(json.loads(path.read_bytes())["run"])
    except FileNotFoundError as error:
        raise Invalid(f"{path} not found.") from error
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise Invalid(f"{path} is not a run written by `docsieve eval --json`.") from error
    if run.format != FORMAT:
        raise Invalid(f"{path} was written by a different version of Docsieve.")
    return run


@dataclass(frozen=True, slots=True)
class Change:
    """A field's F1 before and now; `field` is empty for all of them together."""

    field: str
    before: float
    now: float

    @property
    def by(self) -> float:
        return self.now - self.before


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both runs over the documents that are in both."""

    total: Change
    fields: list[Change]
    worse: list[str]
    better: list[str]
    documents: int


def compare(before: Run, now: Run) -> Comparison:
    """Raises Invalid where the two have no document in common."""
    shared = {document.file for document in before.documents} & {document.file for document in now.documents}
    if not shared:
        raise Invalid("The two runs have no documents in common.")
    old, new = _of(before, shared), _of(now, shared)
    old_fields, new_fields = count_by_field(old), count_by_field(new)
    fields = [
        Change(name, old_fields.get(name, Count()).f1, new_fields.get(name, Count()).f1)
        for name in dict.fromkeys((*old_fields, *new_fields))
    ]
    steps = {file: count(_of(now, {file})).f1 - count(_of(before, {file})).f1 for file in sorted(shared)}
    worse = [file for file, step in steps.items() if step < 0]
    better = [file for file, step in steps.items() if step > 0]
    return Comparison(Change("", count(old).f1, count(new).f1), fields, worse, better, len(shared))


def _of(run: Run, files: set[str]) -> Sequence[Leaf]:
    return [leaf for document in run.documents if document.file in files for leaf in document.leaves]
