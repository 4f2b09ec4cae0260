"""Runs Azure's prebuilt models: the worker has them analyze the documents, a child maps the answers onto the schema."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from docsieve import faults
from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec
from docsieve.engines.azure.engine import AZURE_ENGINE
from docsieve.errors.providers import NoAccount
from docsieve.pipelines import prebuilt
from docsieve.pipelines.bench import Bench, SourceDocument
from docsieve.pipelines.engines.port import Lessons
from docsieve.pipelines.engines.results import checked_result
from docsieve.pipelines.providers import Providers
from docsieve.remote.azure.client import PROVIDER


class AzureEngine:
    about = AZURE_ENGINE

    async def extract(
        self,
        bench: Bench,
        spec: ExtractionSpec,
        documents: Sequence[SourceDocument],
        *,
        lessons: Lessons | None = None,
        providers: Providers | None = None,
    ) -> ExtractionOutcome:
        if providers is None or providers.account is None or providers.originals is None:
            raise NoAccount
        analyses = await prebuilt.analyse(
            providers.account,
            await providers.originals(),
            bench.folder,
            schema_name=spec.schema_name,
            ledger=providers.ledger,
            limits=providers.limits,
            on_progress=bench.report,
        )
        faults.step("extract.answered")
        asked = {"schema": spec.schema, "threshold": spec.threshold}
        answer, _ = await bench.run("finish_analyses", documents, asked, sources=analyses.answers)
        result = await asyncio.to_thread(checked_result, answer, spec.schema)
        usage = replace(analyses.usage, pages=result.usage.pages)
        models = "+".join(dict.fromkeys(analyses.models))
        return ExtractionOutcome(replace(result, usage=usage), self.about.version, f"{PROVIDER}:{models}")
