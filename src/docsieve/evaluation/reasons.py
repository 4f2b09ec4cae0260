"""Why true values were not found: not on the pages, misspelled there, or missed by the engine."""

from collections.abc import Sequence

from docsieve.domain.extraction import DEFAULT_ENGINE, Found, LeafMetadata, Proposal
from docsieve.domain.schemas.fields import Schema
from docsieve.evaluation.figures import Leaf, OnPage
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scores import Outcome
from docsieve.offline.page_cache import ReadFile
from docsieve.offline.session import OfflineSession, source_document
from docsieve.tasks.finish import FinishProposal

_MAX_VALUES = 400


async def look_for_truths(
    session: OfflineSession, files: Sequence[ReadFile], schema: Schema, leaves: Sequence[Leaf], sameness: Sameness
) -> None:
    """Set `on_page` of values that were not found, by grounding the true values."""
    wanted = {
        leaf.truth_path: leaf
        for leaf in leaves
        if leaf.outcome in (Outcome.wrong, Outcome.missed) and leaf.truth_path and not isinstance(leaf.truth, list)
    }
    some = dict(list(wanted.items())[:_MAX_VALUES])
    if not some:
        return
    proposal = Proposal({path: Found(leaf.truth) for path, leaf in some.items()})
    documents = tuple(source_document(each) for each in files)
    async with session.process_slots:
        result = await session.sandbox.run(FinishProposal(documents, schema, DEFAULT_ENGINE, 0.0, proposal))
    metadata = result.metadata
    for path, leaf in some.items():
        leaf.on_page = _on_page(leaf, metadata[path], sameness) if path in metadata else None


def _on_page(leaf: Leaf, found: LeafMetadata, sameness: Sameness) -> OnPage:
    if not found.grounded:
        return "no"
    text = " ".join(proof.text for proof in found.evidence)
    return "whole" if sameness.same(leaf.pattern, leaf.truth, text) else "nearly"
