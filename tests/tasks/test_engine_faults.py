"""A fault of an engine is named as one, not as a fault of a parser."""

import pytest

from docsieve.errors.extractions import EngineFailed, EngineTimeout
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks import registry
from docsieve.tasks.extract import ExtractFields

CRASHING = ExtractFields((), {"type": "object", "properties": 5}, engine="local", threshold=0.0)


async def test_a_crash_of_an_engine_is_engine_failed() -> None:
    async with Sandbox(Limits(), tasks=registry, children=1) as sandbox:
        with pytest.raises(EngineFailed, match="failed with") as failed:
            await sandbox.run(CRASHING)
    assert (failed.value.code, failed.value.permanent) == ("engine_failed", False)


async def test_an_engine_that_takes_too_long_is_engine_timeout() -> None:
    async with Sandbox(Limits(wall_seconds=0.001), tasks=registry, children=1) as sandbox:
        with pytest.raises(EngineTimeout, match="took longer") as late:
            await sandbox.run(CRASHING)
    assert (late.value.code, late.value.permanent) == ("engine_timeout", False)
