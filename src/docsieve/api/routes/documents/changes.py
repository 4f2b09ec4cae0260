"""Delete, reprocess or cancel many documents at once. Documents that cannot be changed are skipped."""

from docsieve.api.access import Resources, Session, Writer
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.wire.documents.document import DocumentsChanged, DocumentSelection, ReprocessSelection
from docsieve.errors.extractions import SchemaInvalid, UnknownSchema
from docsieve.services import documents
from docsieve.services.engines import UNUSABLE

router = Router(prefix="/documents", tags=["documents"], responses=COMMON)


@router.post("/delete", response_model=DocumentsChanged)
async def delete_documents(selection: DocumentSelection, caller: Writer, resources: Resources) -> DocumentsChanged:
    """Delete documents with their embedded documents, jobs, pages and files. Running jobs are stopped."""
    async with resources.database.tenant(caller.scope) as session:
        chosen, skipped = await documents.deletable(session, selection.ids)
        deleted = await documents.delete(session, chosen)
    await documents.delete_blobs(resources, caller.scope.tenant_id, deleted)
    return DocumentsChanged.of(len(chosen), skipped)


@router.post("/reprocess", response_model=DocumentsChanged, responses=problems(UnknownSchema, SchemaInvalid, *UNUSABLE))
async def reprocess_documents(
    selection: ReprocessSelection, caller: Writer, session: Session, resources: Resources
) -> DocumentsChanged:
    """Queue documents again, ahead of new ones, optionally with a different schema, engine, split or password."""
    started, skipped = await documents.reprocess(session, resources, selection.ids, selection.options())
    return DocumentsChanged.of(len(started), skipped)


@router.post("/cancel", response_model=DocumentsChanged)
async def cancel_documents(selection: DocumentSelection, caller: Writer, session: Session) -> DocumentsChanged:
    """Cancel the processing jobs of these documents. Takes effect immediately; workers' later results are discarded."""
    count, skipped = await documents.cancel(session, selection.ids)
    return DocumentsChanged.of(count, skipped)
