"""Corrections of values: checked against the schema and stored next to the engine's value, which is never changed.

Accepting values, and undoing both, is in `acceptance.py`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.documents import rows as documents
from docsieve.db.extractions import corrections
from docsieve.db.extractions import fields as field_rows
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.corrections import Correction, NewCorrection
from docsieve.db.extractions.rows import Extraction
from docsieve.domain.audit import Action
from docsieve.domain.pages.page import Box
from docsieve.domain.schemas.fields import Scalar, Schema, SchemaField, fields_of, path_text
from docsieve.domain.schemas.shape import leaves, parse_path, pattern_of, shaped
from docsieve.errors import NotFound
from docsieve.errors.extractions import CorrectionInvalid, ExtractionNotCompleted

_RECORDED_PATHS = 50
_INDEX = re.compile(r"\[(\d+)\]")
_PYTHON: dict[str, tuple[type, ...]] = {"string": (str,), "number": (int, float), "integer": (int,), "boolean": (bool,)}


@dataclass(frozen=True, slots=True)
class Fix:
    """A value for a leaf; null says that the document does not have it. The box is on a page of one document."""

    path: str
    value: Scalar
    document_id: UUID | None = None
    page: int | None = None
    box: Box | None = None
    note: str | None = None


async def correct(session: Session, extraction_id: UUID, fixes: Sequence[Fix], *, by: str) -> Extraction:
    """Keep what a person says of some leaves; new items of an array may follow its last.

    The correction remembers the value that it replaced, which is the engine's or that of the correction before it.
    """
    extraction = await completed(session, extraction_id)
    known = effective(extraction.value, await corrections.of_extraction(session, extraction_id))
    fields = {field.pattern: field for field in fields_of(extraction.spec.schema)}
    lengths: dict[str, int] = {}
    for path in known:
        _count_items(path, lengths)
    made = []
    for fix in fixes:
        _check(fix, fields, lengths)
        document_id = await _document(session, extraction, fix)
        made.append(NewCorrection(fix.path, known.get(fix.path), fix.value, document_id, fix.page, fix.box, fix.note))
        known[fix.path] = fix.value
        _count_items(fix.path, lengths)
    await corrections.add(session, extraction_id, extraction.project_id, made, by=by)
    await field_rows.mark_reviewed(session, extraction_id, [fix.path for fix in fixes])
    record(session, Action.corrected, extraction, [fix.path for fix in fixes])
    return extraction


def record(session: Session, action: Action, extraction: Extraction, paths: Sequence[str]) -> None:
    """In the audit log, by path. The values are in the corrections, which are deleted with their documents."""
    details = {"fields": len(paths), "paths": list(paths[:_RECORDED_PATHS])}
    session.audit(action, "extraction", extraction.id, details, project_id=extraction.project_id)


async def verify(session: Session, extraction_id: UUID, *, by: str) -> Extraction:
    """Mark the extraction as reviewed and corrected by a person."""
    extraction = await completed(session, extraction_id)
    await extractions.verify(session, extraction_id, by=by)
    await field_rows.mark_reviewed(session, extraction_id, None)
    session.audit(Action.verified, "extraction", extraction_id, project_id=extraction.project_id)
    return extraction


async def completed(session: Session, extraction_id: UUID) -> Extraction:
    """The extraction, locked: what one does to it waits for the other."""
    extraction = await extractions.find_for_update(session, extraction_id)
    if extraction is None:
        raise NotFound("Extraction not found.")
    if extraction.status != "completed":
        raise ExtractionNotCompleted(f"The extraction is {extraction.status}; only a completed one has values.")
    return extraction


def effective(value: Any, made: Sequence[Correction]) -> dict[str, Scalar]:
    """By path, the value of each leaf: the last correction in effect, or else that of the engine's value."""
    return {**dict(leaves(value)), **{path: each.new_value for path, each in last_corrections(made).items()}}


def last_corrections(made: Sequence[Correction]) -> dict[str, Correction]:
    """By path, the correction that replaces the engine's value."""
    return {each.path: each for each in made if each.is_effective and each.action == "correct"}


def held_value(extraction: Extraction, made: Sequence[Correction]) -> Any:
    """The value with corrections in their place; the engine's own where there are none."""
    if not last_corrections(made):
        return extraction.value
    return corrected_value(extraction.spec.schema, effective(extraction.value, made))


def corrected_value(schema: Schema, known: Mapping[str, Scalar]) -> Any:
    """The value that holds; an item of an array whose every leaf was corrected away is gone."""
    return _without_empty_items(shaped(schema, known))


def _without_empty_items(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_empty_items(each) for name, each in value.items()}
    if isinstance(value, list):
        items = [_without_empty_items(each) for each in value]
        return [each for each in items if has_values(each)]
    return value


def has_values(value: Any) -> bool:
    return any(leaf is not None for _, leaf in leaves(value))


def _check(fix: Fix, fields: Mapping[str, SchemaField], lengths: Mapping[str, int]) -> None:
    steps = parse_path(fix.path)
    if path_text(tuple(f"[{step}]" if isinstance(step, int) else step for step in steps)) != fix.path:
        raise CorrectionInvalid(f"{fix.path}: not the path of a field.")
    field = fields.get(pattern_of(fix.path))
    if field is None:
        raise CorrectionInvalid(f"{fix.path}: the schema has no such field.")
    if any(index > lengths.get(array, 0) for array, index in _indexes(fix.path)):
        raise CorrectionInvalid(f"{fix.path}: an item before this one is missing.")
    _check_value(fix, field)
    if fix.box is not None and fix.page is None:
        raise CorrectionInvalid(f"{fix.path}: a box needs its page.")
    if fix.box is not None and not (0 <= fix.box[0] < fix.box[2] and 0 <= fix.box[1] < fix.box[3]):
        raise CorrectionInvalid(f"{fix.path}: a box must be [x0, y0, x1, y1] with x0 < x1 and y0 < y1.")


def _indexes(path: str) -> Iterator[tuple[str, int]]:
    """Each array that the path goes through, with the index: `a[2].b[0]` is in a at 2 and in a[2].b at 0."""
    for found in _INDEX.finditer(path):
        yield path[: found.start()], int(found[1])


def _count_items(path: str, lengths: dict[str, int]) -> None:
    for array, index in _indexes(path):
        lengths[array] = max(lengths.get(array, 0), index + 1)


def _check_value(fix: Fix, field: SchemaField) -> None:
    value = fix.value
    if value is None:
        return
    if field.enum is not None:
        if value not in field.enum:
            raise CorrectionInvalid(f"{fix.path}: it must be one of {', '.join(map(str, field.enum))}.")
        return
    of_kind = isinstance(value, _PYTHON[field.kind]) and (field.kind == "boolean" or not isinstance(value, bool))
    if not of_kind and not (field.kind == "integer" and isinstance(value, float) and value.is_integer()):
        raise CorrectionInvalid(f"{fix.path}: it must be of type {field.kind}.")
    if field.format == "date" and isinstance(value, str):
        try:
            date.fromisoformat(value)
        except ValueError as error:
            raise CorrectionInvalid(f"{fix.path}: write the date as YYYY-MM-DD.") from error


async def _document(session: Session, extraction: Extraction, fix: Fix) -> UUID | None:
    if fix.document_id is None and fix.page is None:
        return None
    document_id = fix.document_id or (extraction.documents[0] if extraction.documents else None)
    if document_id not in extraction.documents:
        raise CorrectionInvalid(f"{fix.path}: the document is not part of this extraction.")
    document = await documents.find(session, document_id)
    if document is None or (fix.page is not None and not 1 <= fix.page <= (document.page_count or 0)):
        raise CorrectionInvalid(f"{fix.path}: the document has no such page.")
    return document_id
