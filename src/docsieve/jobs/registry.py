"""Every kind of job, and the scheduled ones."""

from docsieve.db.webhooks.sending import DeliverWebhook
from docsieve.domain.schedules.schedule import Every
from docsieve.jobs.delete_tenant import DeleteTenantHandler
from docsieve.jobs.deliver_webhook import DeliverWebhookHandler
from docsieve.jobs.download_document import DownloadDocumentHandler
from docsieve.jobs.extract import ExtractDocumentsHandler
from docsieve.jobs.learn import LearnHandler
from docsieve.jobs.maintenance import registry as maintenance
from docsieve.jobs.process_document import ProcessDocumentHandler
from docsieve.jobs.reindex import EmbedChunksHandler, Reindex, ReindexHandler
from docsieve.jobs.split_document import SplitDocumentHandler
from docsieve.jobs.start_batch import StartBatchHandler
from docsieve.jobs.unpack_archive import UnpackArchiveHandler
from docsieve.outbound.http import OutboundClient
from docsieve.pipelines.workdir import WorkDirs
from docsieve.queue.kinds import Kind, Kinds
from docsieve.queue.scheduler import Scheduled
from docsieve.resources import Resources
from docsieve.sandbox.pool import Sandbox
from docsieve.services.batches.starting import StartBatch
from docsieve.services.documents import DownloadDocument, ProcessDocument, UnpackArchive
from docsieve.services.extractions.requests import ExtractDocuments
from docsieve.services.index.chunk_index import EmbedChunks
from docsieve.services.packets.parts import SplitDocument
from docsieve.services.retention.tenant_deletion import DeleteTenant
from docsieve.services.review.examples import Learn
from docsieve.settings import Settings


def scheduled(settings: Settings) -> list[Scheduled]:
    """Raises InvalidSettings."""
    return [*maintenance.scheduled(settings), Scheduled(Reindex(), Every(60))]


def kinds(
    resources: Resources, sandbox: Sandbox, unpackers: Sandbox, workdirs: WorkDirs, outbound: OutboundClient
) -> Kinds:
    """`unpackers` are the children that unpack archives: they may write more, and load no parser."""
    return {
        DownloadDocument.job_type: Kind(DownloadDocument, DownloadDocumentHandler(resources, outbound)),
        UnpackArchive.job_type: Kind(UnpackArchive, UnpackArchiveHandler(resources, unpackers, workdirs)),
        ProcessDocument.job_type: Kind(ProcessDocument, ProcessDocumentHandler(resources, sandbox, workdirs)),
        ExtractDocuments.job_type: Kind(ExtractDocuments, ExtractDocumentsHandler(resources, sandbox, workdirs)),
        SplitDocument.job_type: Kind(SplitDocument, SplitDocumentHandler(resources, sandbox, workdirs)),
        StartBatch.job_type: Kind(StartBatch, StartBatchHandler(resources)),
        DeleteTenant.job_type: Kind(DeleteTenant, DeleteTenantHandler(resources)),
        DeliverWebhook.job_type: Kind(DeliverWebhook, DeliverWebhookHandler(resources, outbound)),
        Learn.job_type: Kind(Learn, LearnHandler(resources, sandbox, workdirs)),
        Reindex.job_type: Kind(Reindex, ReindexHandler(resources)),
        EmbedChunks.job_type: Kind(EmbedChunks, EmbedChunksHandler(resources)),
        **maintenance.kinds(resources, workdirs),
    }
