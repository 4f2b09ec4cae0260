"""Every kind of job, and the ones that run by the clock."""

from docsieve.jobs.process_document import ProcessDocumentHandler
from docsieve.jobs.prune import Prune, PruneHandler
from docsieve.jobs.reindex import EmbedChunksHandler, Reindex, ReindexHandler
from docsieve.jobs.scratch import Scratch
from docsieve.jobs.sweep_blobs import SweepBlobs, SweepBlobsHandler
from docsieve.queue.kinds import Kind, Kinds
from docsieve.queue.maintenance import Periodic
from docsieve.resources import Resources
from docsieve.sandbox.pool import Sandbox
from docsieve.services.documents import ProcessDocument
from docsieve.services.indexing import EmbedChunks

PERIODIC = (
    Periodic(SweepBlobs(), every_seconds=3600),
    Periodic(Prune(), every_seconds=900),
    Periodic(Reindex(), every_seconds=60),
)


def kinds(resources: Resources, sandbox: Sandbox, scratch: Scratch) -> Kinds:
    return {
        ProcessDocument.kind: Kind(ProcessDocument, ProcessDocumentHandler(resources, sandbox, scratch)),
        SweepBlobs.kind: Kind(SweepBlobs, SweepBlobsHandler(resources)),
        Prune.kind: Kind(Prune, PruneHandler(resources)),
        Reindex.kind: Kind(Reindex, ReindexHandler(resources)),
        EmbedChunks.kind: Kind(EmbedChunks, EmbedChunksHandler(resources)),
    }
