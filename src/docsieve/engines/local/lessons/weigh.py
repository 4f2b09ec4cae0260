"""Applies the residual of a schema to the candidates on a document."""

from collections.abc import Sequence
from typing import Protocol

from docsieve.engines.local.fields.candidates import Scene
from docsieve.engines.local.judge.features import Offers
from docsieve.engines.local.lessons.record import Lessons
from docsieve.engines.local.lessons.traits import nearness, traits_of

CLEARLY_MORE = 0.1


class Judged(Protocol):
    """The candidates for the fields of a document, judged, with the features that the judge saw, and the lessons."""

    @property
    def single(self) -> Offers: ...

    @property
    def scene(self) -> Scene: ...

    @property
    def taught(self) -> Lessons: ...

    @property
    def features(self) -> Sequence[Sequence[float]]: ...


def weigh_lessons(judged: Judged) -> None:
    """Replace the probability of each candidate by the one that the examples suggest, and say so if that is higher."""
    features = iter(judged.features)
    for target, candidates in judged.single:
        lessons = judged.taught.of(target.field.pattern)
        for each in candidates:
            mine = next(features, ())
            if lessons.residual is None:
                continue
            near, traits = nearness(each, lessons.guesses), traits_of(each, judged.scene)
            likely = round(lessons.residual.judged(each.score, mine, near, traits), 4)
            if likely >= each.score + CLEARLY_MORE:
                each.why = f"{each.why}, as learned from {judged.taught.examples} corrected documents"
            each.score = likely
