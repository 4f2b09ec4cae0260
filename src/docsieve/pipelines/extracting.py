"""The recipe that extracts: page files on disk and a schema become a value with its proof, in the sandbox.

It needs no server and no database: jobs use it, and so do commands that work on files.
"""

import asyncio
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from docsieve import faults
from docsieve.domain.extraction import Proposal, Result
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import conformed, leaves
from docsieve.engines.azure import engine as azure_prebuilt
from docsieve.engines.llm import cascade as cascade_engine
from docsieve.engines.llm import engine as model_engine
from docsieve.errors import ParserCrashed
from docsieve.pipelines import prebuilt
from docsieve.pipelines.bench import Bench, OnProgress
from docsieve.pipelines.bench import SourceDocument as SourceDocument
from docsieve.pipelines.cascade import Cascade
from docsieve.pipelines.outside import Inquiry, NoAccount, Outside, inquire
from docsieve.remote.azure.client import PROVIDER
from docsieve.sandbox.pool import Sandbox

DEFAULT_ENGINE = "local"
DEFAULT_THRESHOLD = 0.7
"""A field less sure than this is worth a person's look, where neither its schema nor its project says otherwise."""

_results = TypeAdapter(Result)
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """What is asked of which documents, in their order; `lessons` is what corrections have taught the engine."""

    documents: Sequence[SourceDocument]
    schema: Schema
    engine: str = DEFAULT_ENGINE
    threshold: float = DEFAULT_THRESHOLD
    lessons: Mapping[str, Any] | None = None
    prompt: str | None = None


@dataclass(slots=True)
class Extracted:
    """`model` is who was asked outside, where somebody was."""

    result: Result
    engine_version: str
    model: str | None = None


async def extract(
    sandbox: Sandbox,
    request: ExtractionRequest,
    *,
    folder: Path,
    on_progress: OnProgress | None = None,
    outside: Outside | None = None,
) -> Result:
    """The working files go into `folder`; `outside` is needed by engines that ask somebody."""
    return (await extract_by_engine(Bench(sandbox, folder, on_progress), request, outside)).result


async def extract_by_engine(bench: Bench, request: ExtractionRequest, outside: Outside | None) -> Extracted:
    """Raises as `Sandbox.run` does, NoModel or NoAccount, and what those outside raise."""
    if request.engine == model_engine.NAME:
        inquiry = await _inquire(bench, request, outside)
        proposal = await inquiry.propose(request.schema)
        faults.step("extract.answered")
        result = await _finish(bench, request, proposal)
        return Extracted(result, model_engine.VERSION, inquiry.asking.model.name)
    if request.engine == cascade_engine.NAME:
        return await _cascade(bench, request, outside)
    if request.engine == azure_prebuilt.NAME:
        return await _extract_by_azure(bench, request, outside)
    return await _extract_here(bench, request)


async def _inquire(bench: Bench, request: ExtractionRequest, outside: Outside | None) -> Inquiry:
    return await inquire(bench, request.documents, request.schema, prompt=request.prompt, outside=outside)


async def _extract_here(bench: Bench, request: ExtractionRequest) -> Extracted:
    asked = {
        "schema": request.schema,
        "engine": request.engine,
        "lessons": request.lessons,
        "threshold": request.threshold,
    }
    answer, said = await bench.run("extract_fields", request.documents, asked)
    return Extracted(await asyncio.to_thread(checked_result, answer, request.schema), str(said.get("engine_version")))


async def _cascade(bench: Bench, request: ExtractionRequest, outside: Outside | None) -> Extracted:
    inquiry = await _inquire(bench, request, outside)
    local = await _extract_here(bench, replace(request, engine=DEFAULT_ENGINE))

    async def finish(proposal: Proposal) -> Result:
        faults.step("extract.answered")
        return await _finish(bench, request, proposal)

    cascade = Cascade(
        request.schema,
        [each.id for each in request.documents],
        stronger=inquiry.propose,
        finish=finish,
        estimate=inquiry.estimate,
    )
    version = f"{cascade_engine.VERSION} ({DEFAULT_ENGINE} {local.engine_version})"
    return Extracted(await cascade.improve(local.result), version, inquiry.asking.model.name)


async def _extract_by_azure(bench: Bench, request: ExtractionRequest, outside: Outside | None) -> Extracted:
    if outside is None or outside.account is None or outside.originals is None:
        raise NoAccount
    analyses = await prebuilt.analyse(
        outside.account,
        await outside.originals(),
        bench.folder,
        schema_name=outside.schema_name,
        ledger=outside.ledger,
        limits=outside.limits,
        use_kept=outside.use_kept,
        on_progress=bench.report,
    )
    faults.step("extract.answered")
    asked = {"schema": request.schema, "threshold": request.threshold}
    answer, _ = await bench.run("finish_analyses", request.documents, asked, sources=analyses.answers)
    result = await asyncio.to_thread(checked_result, answer, request.schema)
    usage = replace(analyses.usage, pages=result.usage.pages)
    models = "+".join(dict.fromkeys(analyses.models))
    return Extracted(replace(result, usage=usage), azure_prebuilt.VERSION, f"{PROVIDER}:{models}")


async def _finish(bench: Bench, request: ExtractionRequest, proposal: Proposal) -> Result:
    """Find on the pages what somebody outside has said, check it and say how sure that makes us."""
    asked = {
        "schema": request.schema,
        "engine": request.engine,
        "threshold": request.threshold,
        "proposal": asdict(proposal),
    }
    answer, _ = await bench.run("finish_fields", request.documents, asked)
    return await asyncio.to_thread(checked_result, answer, request.schema)


def checked_result(answer: bytes, schema: Schema) -> Result:
    """A child may have been taken over by its document, so what it says is looked at before anybody believes it."""
    try:
        result = _results.validate_json(answer)
    except ValidationError as error:
        raise ParserCrashed("The engine's answer is not a result.") from error
    sure = [result.confidence, *(each.confidence for each in result.metadata.values())]
    if _NUL.search(answer) or not all(0.0 <= each <= 1.0 for each in sure):
        raise ParserCrashed("The engine's answer holds what cannot be stored.")
    if conformed(schema, result.value) != result.value:
        raise ParserCrashed("The engine's answer has not the schema's shape.")
    found = dict(leaves(result.value))
    if any(isinstance(each, float) and not math.isfinite(each) for each in found.values()):
        raise ParserCrashed("The engine's answer holds what is no number.")
    if found.keys() != result.metadata.keys():
        raise ParserCrashed("The engine's answer does not account for each value.")
    return result
