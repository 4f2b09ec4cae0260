"""Memory that native code reserves and hardly touches: it is not refused, and it does not add up."""

from docsieve.sandbox.pool import Sandbox
from tests.sandbox.conftest import LIMITS, Poison, first_page_text

NEARLY_ALL_MB = LIMITS.memory_mb * 2 - 64


async def test_each_document_may_reserve_more_memory_than_it_may_use(poison: Poison) -> None:
    greedy = [poison(f"reserve {NEARLY_ALL_MB}") for _ in range(3)]
    async with Sandbox(LIMITS, children=1) as sandbox:
        for arguments in greedy:
            await sandbox.run("read_document", arguments)

    assert [first_page_text(arguments) for arguments in greedy] == ["nothing wrong here"] * 3
