"""From an engine's answer to a result that may be stored."""

import asyncio
import math
import re
from collections.abc import Sequence
from dataclasses import asdict

from pydantic import TypeAdapter, ValidationError

from docsieve.domain.extraction import ExtractionSpec, Proposal, Result
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import conformed, leaves
from docsieve.errors.extractions import EngineFailed
from docsieve.pipelines.bench import Bench, SourceDocument

_results = TypeAdapter(Result)
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


async def finish(bench: Bench, spec: ExtractionSpec, documents: Sequence[SourceDocument], proposal: Proposal) -> Result:
    """Find a provider's values on the pages, check them and rate their confidence, in the sandbox."""
    asked = {
        "schema": spec.schema,
        "engine": spec.engine,
        "threshold": spec.threshold,
        "proposal": asdict(proposal),
    }
    answer, _ = await bench.run("finish_fields", documents, asked)
    return await asyncio.to_thread(checked_result, answer, spec.schema)


def checked_result(answer: bytes, schema: Schema) -> Result:
    """The result that a child wrote, once it proved sound: the document may have taken over the child."""
    try:
        result = _results.validate_json(answer)
    except ValidationError as error:
        raise EngineFailed("The engine returned an invalid result.") from error
    sure = [result.confidence, *(each.confidence for each in result.metadata.values())]
    if _NUL.search(answer) or not all(0.0 <= each <= 1.0 for each in sure):
        raise EngineFailed("The engine returned a result that cannot be stored.")
    if conformed(schema, result.value) != result.value:
        raise EngineFailed("The engine's result does not match the schema.")
    found = dict(leaves(result.value))
    if any(isinstance(each, float) and not math.isfinite(each) for each in found.values()):
        raise EngineFailed("The engine returned a number that is not finite.")
    if found.keys() != result.metadata.keys():
        raise EngineFailed("The engine's result does not describe every value.")
    return result
