"""The providers that a job may call, set up from the settings, the database and the documents."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.documents.rows import Source
from docsieve.db.extractions.rows import Extraction, NewExtraction
from docsieve.domain.documents import original_key
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.pages.pagefile import page_count_in
from docsieve.engines.llm.engine import ShownPages
from docsieve.engines.llm.prepare import PageRef
from docsieve.engines.port import EngineDescription
from docsieve.errors.retention import OriginalDeleted
from docsieve.llm.port import ChatModel, FileUri
from docsieve.pipelines.engines.port import Runtime
from docsieve.pipelines.model_calls import ModelCalls
from docsieve.pipelines.prebuilt import Original
from docsieve.pipelines.prompt_images import PromptImages
from docsieve.pipelines.providers import Providers
from docsieve.resources import Resources
from docsieve.services.providers.ledger import ProviderLedger
from docsieve.services.providers.limits import SharedLimits
from docsieve.services.stored_files import download_original
from docsieve.tasks.documents import SourceDocument


@dataclass(frozen=True, slots=True)
class ExtractionProviders:
    """`sources` are the documents as the database knows them, `documents` their pages, both in the same order."""

    resources: Resources
    tenant_id: UUID
    runtime: Runtime
    extraction: Extraction | NewExtraction
    documents: Sequence[SourceDocument]
    sources: Sequence[Source]

    def open(self, engine: EngineDescription) -> Providers:
        """Raises UnknownModelProvider or ModelNotConfigured."""
        resources, extraction, spec = self.resources, self.extraction, self.extraction.spec
        clients, database = resources.clients, resources.database
        model = clients.models.named(spec.model) if engine.needs == "model" else None
        ledger = ProviderLedger(
            database,
            self.tenant_id,
            extraction.project_id,
            extraction.id,
            list(extraction.documents),
            persist=resources.persist,
            use_cache=spec.use_cache,
        )
        return Providers(
            model=model,
            prices=clients.prices,
            ledger=ledger,
            limits=SharedLimits(database),
            shown=self._shown_pages(model) if model is not None and spec.show != "text" else None,
            account=clients.azure,
            originals=self._originals,
        )

    def _shown_pages(self, model: ChatModel) -> ShownPages:
        """A provider that can open our blob store reads the files there; others are sent images of the pages."""
        types = {each.media_type for each in self.sources}
        if not (opens_stored_files(self.resources, model) and types <= model.file_types):
            images = PromptImages(self.runtime.sandbox, self.runtime.work, self.documents, self._originals)
            return ShownPages(self.extraction.spec.show, images=images.render)

        def files(refs: Sequence[PageRef]) -> list[FileUri]:
            named = [self.sources[number] for number in dict.fromkeys(ref.document for ref in refs)]
            store = self.resources.settings.blob_location.rstrip("/")
            return [FileUri(f"{store}/{self._key(each)}", each.media_type) for each in named]

        return ShownPages(self.extraction.spec.show, files=files)

    def _key(self, source: Source) -> str:
        if source.original_deleted:
            raise OriginalDeleted(f"The uploaded file of document {source.id} was deleted, and the engine needs it.")
        return original_key(self.tenant_id, source.id)

    async def _originals(self) -> list[Original]:
        """The uploaded files, for engines that read them again."""
        fetched = []
        for number, (source, document) in enumerate(zip(self.sources, self.documents, strict=True)):
            path = self.runtime.work.path / f"original-{number}"
            self._key(source)  # says which file was deleted
            await download_original(self.resources.blobs, self.tenant_id, source, path)
            sealed = source.sealed_password
            fetched.append(
                Original(
                    path,
                    source.sha256,
                    source.media_type,
                    await asyncio.to_thread(page_count_in, document.pages),
                    document.document_class,
                    self.resources.sealer.unseal(sealed) if sealed is not None else None,
                )
            )
        return fetched


def opens_stored_files(resources: Resources, model: ChatModel) -> bool:
    """Whether the provider of the model can open our blob store, and read its files."""
    in_bucket = resources.settings.blob_location.startswith("gs://")
    return bool(model.file_types) and in_bucket and not resources.keyring.enabled


def classifier_of(resources: Resources, job: ClaimedJob, source: Source) -> ModelCalls | None:
    """The model of the settings, to classify a document. Its project pays, and no extraction does."""
    clients = resources.clients
    if clients.models.chosen is None:
        return None
    ledger = ProviderLedger(
        resources.database,
        job.tenant_id,
        source.project_id,
        None,
        [source.id],
        persist=resources.persist,
        job_id=job.id,
    )
    limits = SharedLimits(resources.database)
    return Providers(model=clients.models.chosen, prices=clients.prices, ledger=ledger, limits=limits).model_calls()
