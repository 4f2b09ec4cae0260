"""Outcome of each file given to `docsieve extract`, as it is printed and written."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from docsieve.domain.extraction import LeafMetadata, Result
from docsieve.domain.schemas.fields import Scalar
from docsieve.domain.schemas.shape import leaves

FINE, NEEDS_REVIEW, FAILED = "ok", "needs review", "failed"


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """`result` is set unless the file failed; `code` and `reason` then say why."""

    file: str
    result: Result | None = None
    pages: int = 0
    seconds: float = 0.0
    code: str | None = None
    reason: str | None = None

    @property
    def status(self) -> str:
        if self.result is None:
            return FAILED
        return NEEDS_REVIEW if self.result.needs_review else FINE

    @property
    def confidence(self) -> float | None:
        return self.result.confidence if self.result is not None else None


@dataclass(frozen=True, slots=True)
class Found:
    """A field with its value and metadata."""

    path: str
    value: Scalar
    metadata: LeafMetadata | None


def found_leaves(result: Result) -> Iterator[Found]:
    for path, value in leaves(result.value):
        yield Found(path, value, result.metadata.get(path))


def as_json(outcome: FileOutcome, *, evidence: bool) -> dict[str, Any]:
    document: dict[str, Any] = {"file": outcome.file, "status": outcome.status}
    if outcome.result is None:
        return {**document, "error": {"code": outcome.code, "message": outcome.reason}}
    result = outcome.result
    metadata = {path: asdict(each) for path, each in result.metadata.items()}
    if not evidence:
        metadata = {path: {name: each[name] for name in ("confidence", "grounded")} for path, each in metadata.items()}
    return {
        **document,
        "confidence": result.confidence,
        "needs_review": result.needs_review,
        "value": result.value,
        "metadata": metadata,
        "pages": outcome.pages,
        "usage": asdict(result.usage),
    }
