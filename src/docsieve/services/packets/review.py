"""A person's decisions about the cuts of a packet: accept, remove, add, move."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.documents import packets as packets_sql
from docsieve.db.documents import rows as documents
from docsieve.db.documents.packets import Packet, Part
from docsieve.domain.audit import Action
from docsieve.domain.packets import Cut, PageRange, parts
from docsieve.errors import DocumentNotReady
from docsieve.errors.content import CutInvalid, DocumentNotSplittable, SplitsChanged
from docsieve.errors.retention import OriginalDeleted
from docsieve.services.documents import not_found
from docsieve.services.packets.parts import Changes, settle
from docsieve.tasks.split import can_split


@dataclass(frozen=True, slots=True)
class CutChange:
    """`to_page` is where a cut is moved."""

    action: Literal["accept", "remove", "add", "move"]
    after_page: int
    to_page: int | None = None


@dataclass(frozen=True, slots=True)
class Splits:
    """A packet with its parts; a part that is not written yet has no document."""

    packet: Packet
    parts: list[tuple[PageRange, Part | None]]
    splitting: bool


async def find(session: Session, document_id: UUID) -> Splits:
    packet = _readable(await packets_sql.find(session, document_id))
    known = {part.pages: part for part in await packets_sql.parts(session, [document_id])}
    skipped = frozenset(page.page for page in packet.left_out)
    wanted = parts(packet.cuts, skipped, packet.page_count or 0)
    splitting = await packets_sql.is_splitting(session, document_id)
    return Splits(packet, [(pages, known.get(pages)) for pages in wanted], splitting)


async def change(
    session: Session, document_id: UUID, changes: Sequence[CutChange], *, revision: int | None, max_attempts: int
) -> Changes:
    """Apply decisions, all or none. Parts that no longer match are deleted now; a job writes those that are missing.

    Raises CutInvalid, SplitsChanged if the cuts are not those of `revision`, DocumentNotReady, DocumentNotSplittable,
    OriginalDeleted, and LegalHold if a part that would be deleted is held.
    """
    packet = _readable(await packets_sql.lock(session, document_id))
    if revision is not None and revision != packet.revision:
        raise SplitsChanged(f"The cuts were changed meanwhile: their revision is {packet.revision}.")
    if packet.is_part or packet.media_type is None or not can_split(packet.media_type):
        raise DocumentNotSplittable
    if await documents.without_original(session, [document_id]):
        raise OriginalDeleted
    cuts = {cut.after_page: cut for cut in packet.cuts}
    for each in changes:
        _apply(cuts, each, packet.page_count or 0)
    ordered = [cuts[page] for page in sorted(cuts)]
    settled = await settle(session, packet, ordered, packet.left_out, written={}, max_attempts=max_attempts)
    session.audit(Action.splits_changed, "document", document_id, {"changes": [each.action for each in changes]})
    return settled


def _readable(packet: Packet | None) -> Packet:
    if packet is None:
        raise not_found()
    if packet.page_count is None:
        raise DocumentNotReady("The document has no pages yet.")
    return packet


def _apply(cuts: dict[int, Cut], change: CutChange, page_count: int) -> None:
    if change.action == "add":
        _add(cuts, change.after_page, page_count)
        return
    cut = cuts.get(change.after_page)
    if cut is None:
        raise CutInvalid(f"There is no cut after page {change.after_page}.")
    if change.action == "accept":
        cuts[cut.after_page] = replace(cut, state="accepted", decided_by="person")
        return
    if change.action == "move":
        if change.to_page is None or change.to_page == change.after_page:
            raise CutInvalid("A cut is moved to another page: `to_page` is missing or the same.")
        _add(cuts, change.to_page, page_count)
    _remove(cuts, cut)


def _add(cuts: dict[int, Cut], after_page: int, page_count: int) -> None:
    if not 1 <= after_page < page_count:
        raise CutInvalid(f"A cut must be after one of the pages 1 to {page_count - 1}, not after page {after_page}.")
    known = cuts.get(after_page)
    cuts[after_page] = (
        replace(known, state="accepted" if known.confidence is not None else "added", decided_by="person")
        if known is not None
        else Cut(after_page, None, (), "added", "person")
    )


def _remove(cuts: dict[int, Cut], cut: Cut) -> None:
    """A detected cut stays as removed, so that it is not proposed again; one that a person added is forgotten."""
    if cut.confidence is None:
        del cuts[cut.after_page]
    else:
        cuts[cut.after_page] = replace(cut, state="removed", decided_by="person")
