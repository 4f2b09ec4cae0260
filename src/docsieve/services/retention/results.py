"""Deletes extractions while their documents stay."""

from collections.abc import Sequence
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.extractions import deletion, lessons
from docsieve.db.extractions.deletion import DeletedExtraction
from docsieve.domain.audit import Action
from docsieve.services.review import examples


async def delete(session: Session, ids: Sequence[UUID]) -> list[DeletedExtraction]:
    """Delete finished extractions, cached responses about their documents, and lessons learned from them.

    Each leaves an entry in the audit log. Raises LegalHold.
    """
    actor = session.scope.actor
    taught = await deletion.schemas_taught(session, ids)
    deleted = await deletion.delete(session, ids)
    for schema_name in taught:
        await lessons.retire(session, schema_name)
        await examples.learn_soon(session, schema_name)
    for each in deleted:
        details = {"rule": actor.id if actor.kind == "rule" else None, "rows": each.rows}
        session.audit(Action.results_deleted, "extraction", each.id, details, project_id=each.project_id)
    return deleted
