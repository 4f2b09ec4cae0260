"""The task that learns a schema from corrected extractions and measures whether that helped."""

from dataclasses import dataclass, field
from typing import Any

from docsieve.domain.extraction import Spot
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.domain.schemas.fields import Scalar, Schema
from docsieve.engines.cross_validation import VerifiedExample, cross_validate
from docsieve.engines.registry import learning_engine
from docsieve.errors.extractions import EngineFailed, EngineTimeout
from docsieve.sandbox.task import Task
from docsieve.tasks.documents import SourceDocument, materials


@dataclass(frozen=True, slots=True)
class TeachingExample:
    """A corrected extraction: `known` are the leaves that a person confirmed, `spots` the boxes they drew.

    With `whole`, what `known` lacks is not in the documents; otherwise it is unknown.
    """

    documents: tuple[SourceDocument, ...]
    schema: Schema
    known: dict[str, Scalar]
    spots: dict[str, list[Spot]] = field(default_factory=dict)
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Learned:
    """`trained` and `untrained` are micro-F1 over the `leaves` that were held back."""

    engine_version: str
    lessons: dict[str, Any]
    trained: float
    untrained: float
    leaves: int


@dataclass(frozen=True, slots=True)
class LearnLessons(Task[Learned]):
    crash = EngineFailed
    timeout = EngineTimeout

    engine: str
    examples: tuple[TeachingExample, ...]

    def perform(self, report: OnProgress) -> Learned:
        report(Progress("extracting"))
        examples = [
            VerifiedExample(materials(each.documents), each.schema, each.known, each.spots, each.whole)
            for each in self.examples
        ]
        found = cross_validate(learning_engine(self.engine), examples, lambda: report(Progress("learning")))
        return Learned(found.engine_version, found.lessons, found.trained.f1, found.untrained.f1, found.trained.leaves)
