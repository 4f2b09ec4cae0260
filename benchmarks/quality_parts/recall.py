"""Candidate recall: for which true values the local engine had a right candidate to choose from.

It bounds what choosing better can win: a value that was never a candidate cannot be chosen.
"""

import asyncio
from collections.abc import Sequence

from docsieve.domain.extraction import Material
from docsieve.domain.pages.pagefile import pages_in
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.description import LOCAL_ENGINE
from docsieve.engines.local.engine import offer
from docsieve.evaluation.evaluate import Plan
from docsieve.evaluation.figures import Leaf, in_header
from docsieve.evaluation.runs import Run
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scores import Outcome
from docsieve.offline.page_cache import ReadFile
from docsieve.offline.session import OfflineSession


async def candidate_recall(session: OfflineSession, plan: Plan, run: Run) -> float | None:
    """Over the documents of a run; None for other engines, or without such values."""
    if plan.spec.engine != LOCAL_ENGINE.name:
        return None
    sameness = Sameness(plan.schemas, [sample.truth for sample in plan.samples], ignore_spaces=plan.ignore_spaces)
    values = offered = 0
    for sample, schema, document in zip(plan.samples, plan.schemas, run.documents, strict=True):
        leaves = [leaf for leaf in document.leaves if in_header(leaf) and is_on_page(leaf)]
        if document.error is not None or not leaves:
            continue
        files = [await session.read(path, lambda _: None) for path in sample.paths]
        candidates = await asyncio.to_thread(_candidates, files, schema)
        values += len(leaves)
        offered += sum(is_offered(leaf, candidates.get(leaf.pattern, ()), sameness) for leaf in leaves)
    return offered / values if values else None


def is_on_page(leaf: Leaf) -> bool:
    """Whether the pages show the true value; a right one they do."""
    return leaf.outcome is Outcome.right or leaf.on_page == "whole"


def is_offered(leaf: Leaf, candidates: Sequence[str], sameness: Sameness) -> bool:
    """Whether one of the candidates is right; a right value was one, however it was written."""
    truths = leaf.truth if isinstance(leaf.truth, list) else [leaf.truth]
    return leaf.outcome is Outcome.right or any(
        sameness.same(leaf.pattern, truth, text) for truth in truths for text in candidates
    )


def _candidates(files: Sequence[ReadFile], schema: Schema) -> dict[str, list[str]]:
    materials = [
        Material(str(file.path), list(pages_in(file.pages)), file.about.language, file.about.document_class)
        for file in files
    ]
    return {
        target.field.pattern: [each.text for each in candidates]
        for target, candidates in offer(materials, schema).single
    }
