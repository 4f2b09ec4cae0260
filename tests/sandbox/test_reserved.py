"""Memory that native code reserves and hardly touches: it is not refused, and it does not add up."""

import pytest

from tests.sandbox.conftest import LIMITS, Poison, first_page_text, open_sandbox

pytestmark = pytest.mark.process

NEARLY_ALL_MB = LIMITS.memory_mb * 2 - 64


async def test_each_document_may_reserve_more_memory_than_it_may_use(poison: Poison) -> None:
    greedy = [poison(f"reserve {NEARLY_ALL_MB}") for _ in range(3)]
    async with open_sandbox() as sandbox:
        for task in greedy:
            await sandbox.run(task)

    assert [first_page_text(task) for task in greedy] == ["nothing wrong here"] * 3
