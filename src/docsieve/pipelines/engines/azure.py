"""Runs Azure's prebuilt models: the worker has them analyze the documents, a child maps the answers onto the schema."""

from collections.abc import Sequence
from dataclasses import replace

from docsieve import faults
from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec
from docsieve.engines.azure.engine import AZURE_ENGINE
from docsieve.errors.providers import NoAccount
from docsieve.pipelines import prebuilt
from docsieve.pipelines.engines.port import Lessons, Runtime
from docsieve.pipelines.engines.results import checked_result
from docsieve.pipelines.providers import Providers
from docsieve.remote.azure.client import PROVIDER
from docsieve.sandbox.paths import InputPath
from docsieve.tasks.documents import SourceDocument
from docsieve.tasks.finish import FinishAnalyses


class AzureEngine:
    about = AZURE_ENGINE

    async def extract(
        self,
        runtime: Runtime,
        spec: ExtractionSpec,
        documents: Sequence[SourceDocument],
        *,
        lessons: Lessons | None = None,
        providers: Providers | None = None,
    ) -> ExtractionOutcome:
        if providers is None or providers.account is None or providers.originals is None:
            raise NoAccount
        analyses = await prebuilt.analyze(
            providers.account,
            await providers.originals(),
            runtime.work.path,
            schema_name=spec.schema_name,
            ledger=providers.ledger,
            limits=providers.limits,
            on_progress=runtime.on_progress,
        )
        faults.step("extract.answered")
        answers = tuple(InputPath(each) for each in analyses.answers)
        task = FinishAnalyses(tuple(documents), answers, spec.schema, spec.threshold)
        found = await runtime.sandbox.run(task, on_progress=runtime.on_progress)
        result = await checked_result(found, spec.schema)
        usage = replace(analyses.usage, pages=result.usage.pages)
        models = "+".join(dict.fromkeys(analyses.models))
        return ExtractionOutcome(replace(result, usage=usage), self.about.version, f"{PROVIDER}:{models}")
