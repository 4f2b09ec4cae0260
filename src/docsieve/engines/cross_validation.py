"""Whether lessons help: each example is held back once, and lessons from the others are tried on it.

The engine without lessons is the baseline. The lessons that are returned come from all examples.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from docsieve.domain.extraction import Material, Proposal, Spot
from docsieve.domain.schemas.fields import Scalar, Schema, fields_of
from docsieve.domain.schemas.shape import pattern_of, shaped
from docsieve.engines.port import Example, LearningEngine
from docsieve.values.normal import normalized

MAX_FOLDS = 4


@dataclass(slots=True)
class VerifiedExample:
    """The leaves that a person confirmed, and the boxes they drew; `whole` means that they confirmed all of them."""

    materials: Sequence[Material]
    schema: Schema
    known: dict[str, Scalar]
    spots: dict[str, list[Spot]]
    whole: bool


@dataclass(slots=True)
class Score:
    right: int = 0
    said: int = 0
    true: int = 0
    leaves: int = 0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.said + self.true) if self.said + self.true else 0.0

    def add(self, example: VerifiedExample, proposal: Proposal) -> None:
        """Unless the whole extraction was verified, only the confirmed leaves count."""
        fields = {each.pattern: each for each in fields_of(example.schema)}
        said = {path: each.value for path, each in proposal.found.items() if each.value is not None}
        paths = example.known.keys() | said.keys() if example.whole else example.known.keys()
        for path in paths:
            truth, guess = example.known.get(path), said.get(path)
            self.true += truth is not None
            self.said += guess is not None
            field = fields.get(pattern_of(path))
            self.right += (
                truth is not None and guess is not None and normalized(truth, field) == normalized(guess, field)
            )
        self.leaves += len(paths)


@dataclass(slots=True)
class Validated:
    """Lessons from all examples, and how well the engine did with and without lessons on examples held back."""

    engine_version: str
    lessons: dict[str, Any]
    trained: Score
    untrained: Score


def cross_validate(engine: LearningEngine, examples: Sequence[VerifiedExample], tick: Callable[[], None]) -> Validated:
    """`tick` is called for each example that is tried."""
    trained, untrained = Score(), Score()
    folds = min(len(examples), MAX_FOLDS)
    for fold in range(folds):
        lessons = _lessons(engine, [each for number, each in enumerate(examples) if number % folds != fold])
        for example in examples[fold::folds]:
            tick()
            trained.add(example, engine.propose(example.materials, example.schema, lessons=lessons))
            untrained.add(example, engine.propose(example.materials, example.schema, lessons=None))
    return Validated(engine.about.version, _lessons(engine, examples), trained, untrained)


def _lessons(engine: LearningEngine, examples: Sequence[VerifiedExample]) -> dict[str, Any]:
    return engine.learn(
        [Example(each.materials, each.schema, shaped(each.schema, each.known), each.spots) for each in examples]
    )
