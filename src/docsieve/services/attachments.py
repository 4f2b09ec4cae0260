"""Attachments that become documents: bytes are stored before the transaction that ends the parent's job, rows in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.documents import intake
from docsieve.db.documents.intake import NewDocument
from docsieve.db.documents.rows import Source
from docsieve.domain.batches import Member
from docsieve.domain.documents import MAIL_TYPES, MAX_DEPTH, original_key
from docsieve.domain.ids import new_id
from docsieve.domain.text import clean
from docsieve.pipelines.read import Attached, AttachmentsOf
from docsieve.resources import Resources
from docsieve.services.documents import first_job

_MAX_NAME_LENGTH = 255


def wanted_from(source: Source) -> AttachmentsOf:
    """Which kinds of documents have their attachments added as documents; mails in mails are limited in depth."""
    return _wanted(source.reading.get("attachments"), source.depth)


def may_have(member: Member) -> bool:
    """Whether reading this document of a batch may add attachments as documents."""
    wanted = _wanted(member.attachments, member.depth)
    return wanted == "any" or (wanted == "mail" and member.media_type in MAIL_TYPES)


def _wanted(asked: bool | None, depth: int) -> AttachmentsOf:
    if asked is False or depth >= MAX_DEPTH:
        return "none"
    return "mail" if asked is None else "any"


@dataclass(frozen=True, slots=True)
class Children:
    """Stored attachments that wait for their rows."""

    parent: Source
    found: Sequence[NewDocument]

    @classmethod
    async def store(
        cls, resources: Resources, tenant_id: UUID, parent: Source, attached: Sequence[Attached]
    ) -> "Children":
        """Until the rows are committed, these blobs are orphans, which the sweep removes."""
        found = []
        for entry in attached:
            child_id = new_id()
            stored = await resources.blobs.put_file(original_key(tenant_id, child_id), entry.path)
            path = clean(entry.name) or "attachment"
            name = path.replace("\\", "/").rpartition("/")[2][:_MAX_NAME_LENGTH] or "attachment"
            found.append(NewDocument(child_id, name, entry.media_type, stored.size, stored.sha256, parent_path=path))
        return cls(parent, found)

    async def record(self, session: Session, *, max_attempts: int) -> None:
        """Add those that no earlier reading has added; the blobs of the others are orphans, as after a rollback."""
        if not self.found:
            return
        known = await intake.known_children(session, self.parent.id)
        new = [child for child in self.found if (child.parent_path, child.sha256) not in known]
        priority = await intake.job_priority(session, self.parent.id)
        jobs = [first_job(child.id, child.media_type, max_attempts=max_attempts, priority=priority) for child in new]
        await intake.add_children(session, self.parent.id, new, jobs)
