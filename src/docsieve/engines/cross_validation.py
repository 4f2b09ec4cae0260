"""Whether lessons help: each example is held back once, and lessons from the others are tried on it.

The engine without lessons is the baseline. The lessons that are returned come from all examples.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

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

    def beats(self, other: "Score") -> bool:
        """Values of a field that no example has can only be wrong."""
        return (self.f1, self.right - self.said) > (other.f1, other.right - other.said)

    def __iadd__(self, other: "Score") -> Self:
        self.right += other.right
        self.said += other.said
        self.true += other.true
        self.leaves += other.leaves
        return self


@dataclass(slots=True)
class Validated:
    """Lessons from all examples, and how well the engine did with and without lessons on examples held back."""

    engine_version: str
    lessons: dict[str, Any]
    trained: Score
    untrained: Score


Scores = dict[str, Score]
"""By single field, or by the name of a list: its columns are learned together."""


def cross_validate(engine: LearningEngine, examples: Sequence[VerifiedExample], tick: Callable[[], None]) -> Validated:
    """`tick` is called for each example that is tried.

    Each field is learned only if that does better than not learning it, so no field pays for the gain of another.
    """
    teaching = [_example(each) for each in examples]
    names = dict.fromkeys(_name(field.pattern) for example in examples for field in fields_of(example.schema))
    trained: Scores = {name: Score() for name in names}
    untrained: Scores = {name: Score() for name in names}
    folds = min(len(examples), MAX_FOLDS)
    for fold in range(folds):
        lessons = engine.learn([each for number, each in enumerate(teaching) if number % folds != fold])
        for example in examples[fold::folds]:
            tick()
            _score(trained, example, engine.propose(example.materials, example.schema, lessons=lessons))
            _score(untrained, example, engine.propose(example.materials, example.schema, lessons=None))
    better = {name for name in trained if trained[name].beats(untrained[name])}
    with_lessons, without = Score(), Score()
    for name in trained:
        with_lessons += trained[name] if name in better else untrained[name]
        without += untrained[name]
    return Validated(engine.about.version, engine.learn(teaching, better), with_lessons, without)


def _score(into: Scores, example: VerifiedExample, proposal: Proposal) -> None:
    """Unless the whole extraction was verified, only the confirmed leaves count."""
    fields = {each.pattern: each for each in fields_of(example.schema)}
    said = {path: each.value for path, each in proposal.found.items() if each.value is not None}
    for path in {**example.known, **said} if example.whole else example.known:
        pattern = pattern_of(path)
        truth, guess, field = example.known.get(path), said.get(path), fields.get(pattern)
        right = truth is not None and guess is not None and normalized(truth, field) == normalized(guess, field)
        into[_name(pattern)] += Score(int(right), int(guess is not None), int(truth is not None), 1)


def _name(pattern: str) -> str:
    return pattern.partition("[")[0]


def _example(each: VerifiedExample) -> Example:
    missing = {field.pattern for field in fields_of(each.schema)} if each.whole else each.known.keys()
    absent = frozenset(path for path in missing if each.known.get(path) is None)
    return Example(each.materials, each.schema, shaped(each.schema, each.known), each.spots, absent)
