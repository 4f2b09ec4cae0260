"""An evaluation run: its figures, and the differences from an earlier run."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from docsieve.errors import Invalid
from docsieve.evaluation.figures import (
    Bin,
    Count,
    Leaf,
    at_threshold,
    calibration_error,
    count,
    count_by_field,
    in_header,
    not_found,
    reliability,
)

FORMAT = 1


@dataclass(slots=True)
class DocumentRun:
    """What became of one document; `pages` are its number, and the seconds what each step took."""

    file: str
    leaves: list[Leaf] = field(default_factory=list)
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
        return reliability(self.leaves)

    @property
    def failed(self) -> int:
        return sum(document.error is not None for document in self.documents)

    def figures(self) -> dict[str, Any]:
        """What a reader of the JSON wants first."""
        leaves, bins = self.leaves, self.bins
        precision, share = at_threshold(leaves, self.threshold)
        unfound, nearly, absent = not_found(leaves)
        return {
            "overall": self.total.figures(),
            "header": self.header.figures(),
            "rows": self.rows.figures(),
            "fields": {name: each.figures() for name, each in self.by_field.items()},
            "calibration_error": calibration_error(bins),
            "reliability": [asdict(each) for each in bins],
            "precision_at_threshold": precision,
            "share_at_threshold": share,
            "needs_review": sum(document.needs_review for document in self.documents),
            "documents": len(self.documents),
            "failed": self.failed,
            "cost": sum(document.cost for document in self.documents),
            "seconds": self.seconds,
            "reading_seconds": sum(document.reading_seconds for document in self.documents),
            "extracting_seconds": sum(document.extracting_seconds for document in self.documents),
            "not_asked": self.not_asked,
            "not_found": unfound,
            "nearly_on_page": nearly,
            "not_on_page": absent,
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
