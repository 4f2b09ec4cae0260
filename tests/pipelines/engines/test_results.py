"""A child may have been taken over by its document: what it says about values is looked at before it is believed."""

import json
from typing import Any

import pytest

from docsieve.domain.extraction import Result
from docsieve.errors.extractions import EngineFailed
from docsieve.pipelines.engines.results import checked_result
from docsieve.sandbox.messages import decode_result
from docsieve.tasks.finish import FinishProposal

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"total": {"type": "number"}, "tags": {"type": "array", "items": {"type": "string"}}},
}
LEAF = {"confidence": 0.9, "grounded": False, "evidence": [], "checks": [], "why": None, "needs_review": False}
SOUND: dict[str, Any] = {
    "value": {"total": 5.0, "tags": ["a\\u0000b"]},
    "metadata": {"total": LEAF, "tags[0]": LEAF},
    "confidence": 0.9,
    "usage": {"pages": 1},
}


async def accepted(payload: bytes) -> Result:
    """What the worker makes of it."""
    return await checked_result(decode_result(FinishProposal, payload), SCHEMA)


async def test_a_sound_answer_is_believed() -> None:
    assert (await accepted(json.dumps(SOUND).encode())).value == SOUND["value"]


@pytest.mark.parametrize(
    "changed",
    [
        {"value": {"total": 5.0, "tags": ["x"], "engine": "evil"}},
        {"value": {"total": 5.0}},
        {"value": {"total": {"nested": 1}, "tags": ["x"]}},
        {"value": {"total": float("nan"), "tags": ["x"]}},
        {"value": {"total": 5.0, "tags": ["a\x00b"]}},
        {"metadata": {"total": LEAF}},
        {"metadata": {"total": LEAF, "tags[0]": LEAF, "tags[1]": LEAF}},
        {"metadata": {"total": {**LEAF, "confidence": 7}, "tags[0]": LEAF}},
        {"metadata": {"total": {**LEAF, "evidence": [{"page": "one"}]}, "tags[0]": LEAF}},
        {"metadata": {"total": {**LEAF, "needs_review": "perhaps"}, "tags[0]": LEAF}},
        {"metadata": {"total": {name: LEAF[name] for name in LEAF if name != "needs_review"}, "tags[0]": LEAF}},
        {"confidence": -1},
    ],
)
async def test_an_answer_that_is_not_what_was_asked_for_is_a_crash(changed: dict[str, Any]) -> None:
    with pytest.raises(EngineFailed):
        await accepted(json.dumps({**SOUND, **changed}).encode())


async def test_an_answer_cannot_need_review_without_a_field_that_does() -> None:
    doubtful = {"total": {**LEAF, "needs_review": True}, "tags[0]": LEAF}
    assert not (await accepted(json.dumps({**SOUND, "needs_review": True}).encode())).needs_review
    assert (await accepted(json.dumps({**SOUND, "metadata": doubtful}).encode())).needs_review


async def test_what_is_no_json_is_a_crash() -> None:
    with pytest.raises(EngineFailed):
        await accepted(b"\xff not json")
