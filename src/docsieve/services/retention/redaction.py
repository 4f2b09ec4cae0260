"""The remainder of an extraction when some of its documents are deleted.

A value stays only if it was found on a document that remains. One that was found nowhere may come from a deleted
document, so it goes too.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.extractions import redaction
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.rows import Extraction

_GONE = {
    "confidence": 0.0,
    "grounded": False,
    "evidence": [],
    "checks": [],
    "doubts": [],
    "why": None,
    "needs_review": False,
}


@dataclass(frozen=True, slots=True)
class Remainder:
    """`kept` is the metadata of the leaves that stay."""

    value: Any
    metadata: dict[str, Any] | None
    missing: list[dict[str, Any]]
    kept: dict[str, dict[str, Any]]


async def redact(session: Session, document_ids: Sequence[UUID]) -> None:
    """Remove what came from these documents from extractions that also have others. Others are deleted with them."""
    doomed = frozenset(map(str, document_ids))
    for extraction in await extractions.find_all(session, await redaction.shared(session, document_ids)):
        left = remainder(extraction, doomed)
        await redaction.keep_fields(session, extraction.id, left.kept)
        await redaction.replace(session, extraction.id, value=left.value, metadata=left.metadata, missing=left.missing)


def remainder(extraction: Extraction, doomed: Collection[str]) -> Remainder:
    metadata = extraction.metadata
    kept = {path: left for path, about in (metadata or {}).items() if (left := _left(about, doomed)) is not None}
    return Remainder(
        value=_only(extraction.value, kept),
        metadata={path: kept.get(path, _GONE) for path in metadata} if metadata else metadata,
        missing=[each for each in extraction.missing if str(each["document_id"]) not in doomed],
        kept=kept,
    )


def _left(about: dict[str, Any], doomed: Collection[str]) -> dict[str, Any] | None:
    """What remains of a leaf's metadata; None if nothing proves it any more."""
    evidence = [each for each in about["evidence"] if each["document_id"] not in doomed]
    if not evidence:
        return None
    if evidence != about["evidence"]:
        return {**about, "evidence": evidence, "doubts": [], "why": None}
    return {**about, "doubts": [each for each in about.get("doubts", ()) if _quotes_only_what_remains(each, doomed)]}


def _quotes_only_what_remains(doubt: dict[str, Any], doomed: Collection[str]) -> bool:
    """A doubt may quote another value; one without a place may come from a deleted document."""
    if not doubt["evidence"]:
        return doubt["other"] is None
    return all(each["document_id"] not in doomed for each in doubt["evidence"])


def _only(value: Any, kept: Mapping[str, Any], path: str = "") -> Any:
    """The value in its shape, with null for all other leaves."""
    if isinstance(value, dict):
        return {name: _only(each, kept, f"{path}.{name}" if path else name) for name, each in value.items()}
    if isinstance(value, list):
        return [_only(each, kept, f"{path}[{index}]") for index, each in enumerate(value)]
    return value if path in kept else None
