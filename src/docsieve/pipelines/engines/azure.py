"""Runs Azure's prebuilt models: the worker has them analyze the documents, a child maps the answers onto the schema."""

import asyncio
from dataclasses import replace

from docsieve import faults
from docsieve.engines.azure.engine import AZURE_ENGINE
from docsieve.errors.providers import NoAccount
from docsieve.pipelines import prebuilt
from docsieve.pipelines.bench import Bench
from docsieve.pipelines.engines.port import Extracted, ExtractionRequest
from docsieve.pipelines.engines.results import checked_result
from docsieve.pipelines.providers import Providers
from docsieve.remote.azure.client import PROVIDER


class AzureEngine:
    about = AZURE_ENGINE

    async def extract(self, bench: Bench, request: ExtractionRequest, providers: Providers | None) -> Extracted:
        if providers is None or providers.account is None or providers.originals is None:
            raise NoAccount
        analyses = await prebuilt.analyse(
            providers.account,
            await providers.originals(),
            bench.folder,
            schema_name=providers.schema_name,
            ledger=providers.ledger,
            limits=providers.limits,
            on_progress=bench.report,
        )
        faults.step("extract.answered")
        asked = {"schema": request.schema, "threshold": request.threshold}
        answer, _ = await bench.run("finish_analyses", request.documents, asked, sources=analyses.answers)
        result = await asyncio.to_thread(checked_result, answer, request.schema)
        usage = replace(analyses.usage, pages=result.usage.pages)
        models = "+".join(dict.fromkeys(analyses.models))
        return Extracted(replace(result, usage=usage), self.about.version, f"{PROVIDER}:{models}")
