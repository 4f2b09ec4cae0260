"""Where the pages show true values that were not found, if they do."""

from collections.abc import Mapping, Sequence
from typing import Any

from docsieve.domain.extraction import DEFAULT_ENGINE, Evidence, Found, LeafMetadata, Proposal
from docsieve.domain.schemas.fields import Schema
from docsieve.evaluation.figures import Leaf, OnPage
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scores import Outcome, is_empty
from docsieve.offline.page_cache import ReadFile
from docsieve.offline.session import OfflineSession, source_document
from docsieve.tasks.finish import FinishProposal

_MAX_VALUES = 400


async def look_for_truths(
    session: OfflineSession, files: Sequence[ReadFile], schema: Schema, leaves: Sequence[Leaf], sameness: Sameness
) -> Mapping[str, Sequence[Evidence]]:
    """Set `on_page` of values that were not found, by grounding the true values. Returns the places by truth path."""
    wanted = {
        leaf.truth_path: leaf
        for leaf in leaves
        if leaf.outcome in (Outcome.wrong, Outcome.missed) and leaf.truth_path and _first(leaf.truth) is not None
    }
    some = dict(list(wanted.items())[:_MAX_VALUES])
    if not some:
        return {}
    proposal = Proposal({path: Found(_first(leaf.truth)) for path, leaf in some.items()})
    documents = tuple(source_document(each) for each in files)
    async with session.process_slots:
        result = await session.sandbox.run(FinishProposal(documents, schema, DEFAULT_ENGINE, 0.0, proposal))
    found = {path: result.metadata[path] for path in some if path in result.metadata}
    for path, metadata in found.items():
        some[path].on_page = _on_page(some[path], metadata, sameness)
    return {path: metadata.evidence for path, metadata in found.items()}


def _first(truth: Any) -> Any:
    """The first of several accepted values."""
    return next((each for each in truth if not is_empty(each)), None) if isinstance(truth, list) else truth


def _on_page(leaf: Leaf, found: LeafMetadata, sameness: Sameness) -> OnPage:
    if not found.grounded:
        return "no"
    text = " ".join(proof.text for proof in found.evidence)
    return "whole" if sameness.same(leaf.pattern, _first(leaf.truth), text) else "nearly"
