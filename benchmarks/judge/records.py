"""What the judge learns from: the features of candidates for fields with known values, and which are right."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.judge.documents import Document
from docsieve.engines.local.engine import offer
from docsieve.engines.local.fields.candidates import Candidate, Scene
from docsieve.engines.local.fields.values import written_text
from docsieve.engines.local.judge.features import Offers, features_of
from docsieve.evaluation.scores import is_empty


@dataclass(frozen=True, slots=True)
class Record:
    kind: str
    dataset: str
    document: str
    path: str
    features: list[float]
    right: bool


def records_of(document: Document) -> list[Record]:
    """The candidates as they are, and those of each field once more without the right ones, as if it were absent.

    Truths hardly name a field that the document lacks, but most fields of a large schema are absent from most
    documents, and then every candidate is wrong.
    """
    offered = offer([document.material], document.schema)
    right = [
        None if truths is None else [_is_right(document, each, truths, offered.scene) for each in candidates]
        for target, candidates in offered.single
        for truths in [true_values(document.sample.truth, target.field.path, closed=document.closed)]
    ]
    found = list(_records(document, offered.single, right, offered.scene))
    absent = [judged is not None and any(judged) for judged in right]
    left = [
        [each for each, is_right in zip(candidates, judged, strict=True) if not is_right] if judged else candidates
        for (_, candidates), judged in zip(offered.single, right, strict=True)
    ]
    without = [(target, candidates) for (target, _), candidates in zip(offered.single, left, strict=True)]
    wrong = [[False] * len(each) if gone else None for each, gone in zip(left, absent, strict=True)]
    return [*found, *_records(document, without, wrong, offered.scene)]


def _records(
    document: Document, offers: Offers, right: Sequence[Sequence[bool] | None], scene: Scene
) -> Iterator[Record]:
    rows = iter(features_of(offers, scene))
    for (target, candidates), judged in zip(offers, right, strict=True):
        features = [next(rows) for _ in candidates]
        for row, is_right in zip(features, judged or (), strict=False):
            yield Record(
                document.kind, document.dataset, document.sample.name, target.field.pattern, row, right=is_right
            )


def _is_right(document: Document, each: Candidate, truths: Sequence[Any], scene: Scene) -> bool:
    value = written_text(each.target, each.text, scene.spans)
    path = each.target.field.pattern
    return value is not None and any(document.sameness.same(path, truth, value) for truth in truths)


def true_values(truth: Any, path: Sequence[str], *, closed: bool) -> list[Any] | None:
    """The values that are right for a single field: none if it is absent, or None if that is unknown."""
    for name in path:
        if truth is None:
            return []
        if not isinstance(truth, Mapping) or name not in truth:
            return [] if closed else None
        truth = truth[name]
    return [each for each in (truth if isinstance(truth, list) else [truth]) if not is_empty(each)]
