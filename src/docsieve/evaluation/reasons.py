"""Why truths were not found: the pages do not show them, show them with other letters, or were not understood."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from docsieve.domain.extraction import Found, Proposal
from docsieve.domain.schemas.fields import Schema
from docsieve.evaluation.figures import Leaf, OnPage
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scoring import Outcome
from docsieve.offline.pages import ReadFile
from docsieve.offline.session import Workshop, source_document
from docsieve.pipelines.bench import Bench

_MOST = 400


async def look_for_truths(
    workshop: Workshop, files: Sequence[ReadFile], schema: Schema, leaves: Sequence[Leaf], sameness: Sameness
) -> None:
    """Set `on_page` of what was not found, by looking for the truths as if an engine had said them."""
    wanted = {
        leaf.truth_path: leaf
        for leaf in leaves
        if leaf.outcome in (Outcome.wrong, Outcome.missed) and leaf.truth_path and not isinstance(leaf.truth, list)
    }
    some = dict(list(wanted.items())[:_MOST])
    if not some:
        return
    proposal = Proposal({path: Found(leaf.truth) for path, leaf in some.items()})
    asked = {"schema": schema, "engine": "local", "threshold": 0.0, "proposal": proposal}
    async with workshop.turns:
        with tempfile.TemporaryDirectory(dir=workshop.scratch) as folder:
            bench = Bench(workshop.sandbox, Path(folder))
            answer, _ = await bench.run("finish_fields", [source_document(each) for each in files], asked)
    metadata = from_json(answer)["metadata"]
    for path, leaf in some.items():
        leaf.on_page = _on_page(leaf, metadata[path], sameness) if path in metadata else None


def _on_page(leaf: Leaf, found: Mapping[str, Any], sameness: Sameness) -> OnPage:
    if not found["grounded"]:
        return "no"
    text = " ".join(proof["text"] for proof in found["evidence"])
    return "whole" if sameness.same(leaf.pattern, leaf.truth, text) else "nearly"
