"""Every kind of job, and the periodic ones."""

from docsieve.db.webhooks.sending import DeliverWebhook
from docsieve.jobs.check_files import CheckFiles, CheckFilesHandler
from docsieve.jobs.delete_tenant import DeleteTenantHandler
from docsieve.jobs.deliver_webhook import DeliverWebhookHandler
from docsieve.jobs.discard_batches import DiscardBatches, DiscardBatchesHandler
from docsieve.jobs.extract import ExtractDocumentsHandler
from docsieve.jobs.learn import LearnHandler
from docsieve.jobs.process_document import ProcessDocumentHandler
from docsieve.jobs.prune import Prune, PruneHandler
from docsieve.jobs.reindex import EmbedChunksHandler, Reindex, ReindexHandler
from docsieve.jobs.retention import DeleteExpired, DeleteExpiredHandler
from docsieve.jobs.split_document import SplitDocumentHandler
from docsieve.jobs.start_batch import StartBatchHandler
from docsieve.jobs.sweep_blobs import SweepBlobs, SweepBlobsHandler
from docsieve.jobs.unpack_archive import UnpackArchiveHandler
from docsieve.outbound.http import OutboundClient
from docsieve.pipelines.workdir import WorkDirs
from docsieve.queue.kinds import Kind, Kinds
from docsieve.queue.maintenance import Periodic
from docsieve.resources import Resources
from docsieve.sandbox.pool import Sandbox
from docsieve.services.batches.starting import StartBatch
from docsieve.services.documents import ProcessDocument, UnpackArchive
from docsieve.services.extractions.requests import ExtractDocuments
from docsieve.services.index.chunk_index import EmbedChunks
from docsieve.services.packets.parts import SplitDocument
from docsieve.services.retention.tenant_deletion import DeleteTenant
from docsieve.services.review.examples import Learn

PERIODIC = (
    Periodic(SweepBlobs(), every_seconds=3600),
    Periodic(Prune(), every_seconds=900),
    Periodic(CheckFiles(), every_seconds=3600),
    Periodic(Reindex(), every_seconds=60),
    Periodic(DiscardBatches(), every_seconds=900),
    Periodic(DeleteExpired(), every_seconds=86_400),
)


def kinds(
    resources: Resources, sandbox: Sandbox, unpackers: Sandbox, workdirs: WorkDirs, outbound: OutboundClient
) -> Kinds:
    """`unpackers` are the children that unpack archives: they may write more, and load no parser."""
    return {
        UnpackArchive.job_type: Kind(UnpackArchive, UnpackArchiveHandler(resources, unpackers, workdirs)),
        ProcessDocument.job_type: Kind(ProcessDocument, ProcessDocumentHandler(resources, sandbox, workdirs)),
        ExtractDocuments.job_type: Kind(ExtractDocuments, ExtractDocumentsHandler(resources, sandbox, workdirs)),
        SplitDocument.job_type: Kind(SplitDocument, SplitDocumentHandler(resources, sandbox, workdirs)),
        StartBatch.job_type: Kind(StartBatch, StartBatchHandler(resources)),
        DiscardBatches.job_type: Kind(DiscardBatches, DiscardBatchesHandler(resources)),
        DeleteExpired.job_type: Kind(DeleteExpired, DeleteExpiredHandler(resources)),
        DeleteTenant.job_type: Kind(DeleteTenant, DeleteTenantHandler(resources)),
        DeliverWebhook.job_type: Kind(DeliverWebhook, DeliverWebhookHandler(resources, outbound)),
        Learn.job_type: Kind(Learn, LearnHandler(resources, sandbox, workdirs)),
        SweepBlobs.job_type: Kind(SweepBlobs, SweepBlobsHandler(resources)),
        Prune.job_type: Kind(Prune, PruneHandler(resources)),
        CheckFiles.job_type: Kind(CheckFiles, CheckFilesHandler(resources)),
        Reindex.job_type: Kind(Reindex, ReindexHandler(resources)),
        EmbedChunks.job_type: Kind(EmbedChunks, EmbedChunksHandler(resources)),
    }
