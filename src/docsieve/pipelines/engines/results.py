"""From an engine's answer to a result that may be stored."""

import asyncio
import math
from collections.abc import Sequence

from docsieve.domain.extraction import ExtractionSpec, Proposal, Result
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import conformed, leaves
from docsieve.errors.extractions import EngineFailed
from docsieve.pipelines.engines.port import Runtime
from docsieve.tasks.documents import SourceDocument
from docsieve.tasks.finish import FinishProposal


async def finish(
    runtime: Runtime, spec: ExtractionSpec, documents: Sequence[SourceDocument], proposal: Proposal
) -> Result:
    """Find a provider's values on the pages, check them and rate their confidence, in the sandbox."""
    task = FinishProposal(tuple(documents), spec.schema, spec.engine, spec.threshold, proposal)
    return await checked_result(await runtime.sandbox.run(task, on_progress=runtime.on_progress), spec.schema)


async def checked_result(result: Result, schema: Schema) -> Result:
    """The result of a child, once it proved sound: the document may have taken over the child. Raises EngineFailed."""
    await asyncio.to_thread(_check, result, schema)
    return result


def _check(result: Result, schema: Schema) -> None:
    sure = [result.confidence, *(each.confidence for each in result.metadata.values())]
    if not all(0.0 <= each <= 1.0 for each in sure):
        raise EngineFailed("The engine returned a confidence that is not between 0 and 1.")
    if conformed(schema, result.value) != result.value:
        raise EngineFailed("The engine's result does not match the schema.")
    found = dict(leaves(result.value))
    if any(isinstance(each, float) and not math.isfinite(each) for each in found.values()):
        raise EngineFailed("The engine returned a number that is not finite.")
    if found.keys() != result.metadata.keys():
        raise EngineFailed("The engine's result does not describe every value.")
