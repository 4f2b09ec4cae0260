"""Accepts values, and undoes corrections and acceptances. The history is kept."""

from collections.abc import Sequence
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.extractions import corrections
from docsieve.db.extractions import fields as field_rows
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.corrections import Correction, NewCorrection
from docsieve.db.extractions.rows import Extraction
from docsieve.domain.audit import Action
from docsieve.errors.extractions import CorrectionInvalid, NothingToUndo
from docsieve.services.extractions.results import doubtful_paths
from docsieve.services.review.corrections import completed, effective, record


def last_acts(made: Sequence[Correction]) -> dict[str, Correction]:
    """By path, the newest correction or acceptance that was not taken back."""
    return {each.path: each for each in made if each.is_effective}


async def accept(session: Session, extraction_id: UUID, paths: Sequence[str], *, by: str) -> Extraction:
    """Keep that a person found the values of these leaves right as they are. Accepting twice is accepting once."""
    extraction = await completed(session, extraction_id)
    done = await corrections.of_extraction(session, extraction_id)
    known, last = effective(extraction.value, done), last_acts(done)
    made = []
    for path in dict.fromkeys(paths):
        if path not in known:
            raise CorrectionInvalid(f"{path}: the extraction has no such field.")
        if path not in last or last[path].action != "accept":
            made.append(NewCorrection(path, known[path], known[path], action="accept"))
    await corrections.add(session, extraction_id, extraction.project_id, made, by=by)
    await field_rows.mark_reviewed(session, extraction_id, paths)
    record(session, Action.accepted, extraction, paths)
    return extraction


async def undo(session: Session, extraction_id: UUID, paths: Sequence[str], *, by: str) -> Extraction:
    """Take back the newest correction or acceptance of each leaf that is still in effect.

    A leaf without any other correction or acceptance then needs review as it did before, and its extraction is no
    longer verified.
    """
    extraction = await completed(session, extraction_id)
    done = await corrections.of_extraction(session, extraction_id)
    newest = last_acts(done)
    if lacking := [path for path in paths if path not in newest]:
        raise NothingToUndo(f"{lacking[0]}: there is nothing to undo.")
    taken = {newest[path].id for path in paths}
    left = [each for each in done if each.id not in taken]
    before, after = effective(extraction.value, done), effective(extraction.value, left)
    made = [
        NewCorrection(path, before.get(path), after.get(path), action="undo", undoes=newest[path].id)
        for path in dict.fromkeys(paths)
    ]
    await corrections.add(session, extraction_id, extraction.project_id, made, by=by)
    untouched = set(paths) - last_acts(left).keys()
    if doubtful := sorted(untouched & doubtful_paths(extraction)):
        await extractions.reopen(session, extraction_id)
        await field_rows.mark_doubtful(session, extraction_id, doubtful)
    record(session, Action.undone, extraction, paths)
    return extraction
