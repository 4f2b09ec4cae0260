"""Learning inside a sandboxed child, and finding out whether it helped.

Each example is held back once: lessons from the others are tried on it, beside the engine without lessons. What is kept
are the lessons from all of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docsieve.domain.extraction import Material, Proposal, Spot
from docsieve.domain.schemas.fields import Scalar, Schema, fields_of
from docsieve.domain.schemas.shape import pattern_of, shaped
from docsieve.values.normal import normalised

MOST_FOLDS = 4


@dataclass(slots=True)
class Learned:
    """`trained` and `untrained` are micro-F1 over the `leaves` that were held back."""

    engine_version: str
    lessons: dict[str, Any]
    trained: float
    untrained: float
    leaves: int


@dataclass(slots=True)
class Taught:
    """One example: what a person stands for, and the boxes they drew around it."""

    materials: list[Material]
    schema: Schema
    known: dict[str, Scalar]
    spots: dict[str, list[Spot]]
    whole: bool


def learned(materials: Sequence[Material], given: Sequence[Mapping[str, Any]], tick: Callable[[], None]) -> Learned:
    from docsieve.engines.local.engine import LocalFields
    from docsieve.engines.local.lessons.learn import Example, learn

    examples = [_taught(materials, each) for each in given]

    def lessons_of(taught: Sequence[Taught]) -> dict[str, Any]:
        return learn(
            [Example(each.materials, each.schema, shaped(each.schema, each.known), each.spots) for each in taught]
        )

    engine = LocalFields()
    trained, untrained = Score(), Score()
    folds = min(len(examples), MOST_FOLDS)
    for fold in range(folds):
        lessons = lessons_of([each for number, each in enumerate(examples) if number % folds != fold])
        for example in examples[fold::folds]:
            tick()
            trained.add(example, engine.propose(example.materials, example.schema, lessons=lessons))
            untrained.add(example, engine.propose(example.materials, example.schema, lessons=None))
    return Learned(engine.about.version, lessons_of(examples), trained.f1, untrained.f1, trained.leaves)


@dataclass(slots=True)
class Score:
    right: int = 0
    said: int = 0
    true: int = 0
    leaves: int = 0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.said + self.true) if self.said + self.true else 0.0

    def add(self, example: Taught, proposal: Proposal) -> None:
        """Where nobody looked at all of an extraction, only what they corrected counts."""
        fields = {each.pattern: each for each in fields_of(example.schema)}
        said = {path: each.value for path, each in proposal.found.items() if each.value is not None}
        paths = example.known.keys() | said.keys() if example.whole else example.known.keys()
        for path in paths:
            truth, guess = example.known.get(path), said.get(path)
            self.true += truth is not None
            self.said += guess is not None
            field = fields.get(pattern_of(path))
            self.right += (
                truth is not None and guess is not None and normalised(truth, field) == normalised(guess, field)
            )
        self.leaves += len(paths)


def _taught(materials: Sequence[Material], given: Mapping[str, Any]) -> Taught:
    spots = {
        path: [Spot(each["page"], tuple(each["box"]), each["text"], each["document"]) for each in some]
        for path, some in given["spots"].items()
    }
    own = [materials[number] for number in given["documents"]]
    return Taught(own, given["schema"], given["known"], spots, given["whole"])
