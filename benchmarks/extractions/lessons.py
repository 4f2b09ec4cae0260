"""What corrections would teach: lessons from some documents of a set, to be tried on the others."""

from collections.abc import Sequence
from typing import Any

from docsieve.domain.extraction import DEFAULT_ENGINE
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import leaves
from docsieve.evaluation.datasets import Sample
from docsieve.offline.session import OfflineSession, source_document
from docsieve.tasks.learn import LearnLessons, TeachingExample


async def lessons_from(session: OfflineSession, samples: Sequence[Sample], schema: Schema) -> dict[str, Any]:
    """As if a person had corrected every document to its truth, without drawing any box."""
    files = [await session.read(sample.path, lambda _: None) for sample in samples]
    examples = tuple(
        TeachingExample(
            (source_document(file),),
            schema,
            {path: value for path, value in leaves(sample.truth) if value is not None},
        )
        for file, sample in zip(files, samples, strict=True)
    )
    return (await session.sandbox.run(LearnLessons(DEFAULT_ENGINE, examples))).lessons


async def halves(session: OfflineSession, samples: Sequence[Sample], schema: Schema) -> dict[str, dict[str, Any]]:
    """Lessons for each document, by its name, from the half of the set that it is not in."""
    even, odd = samples[::2], samples[1::2]
    by_even, by_odd = [await lessons_from(session, half, schema) for half in (even, odd)]
    return {**{sample.name: by_odd for sample in even}, **{sample.name: by_even for sample in odd}}
