"""Memory that native code reserves and hardly touches: it is not refused, and it does not add up."""

import os

from docsieve.sandbox.pool import Sandbox
from tests.sandbox.conftest import LIMITS, Poison, alive, descendants, first_page_text, wait_until

MOST_MB = LIMITS.memory_mb


async def test_a_document_may_reserve_more_memory_than_it_may_use_but_its_child_does_not_go_on(poison: Poison) -> None:
    before = descendants(os.getpid()).keys()
    greedy, modest = poison(f"reserve {MOST_MB * 2 - 64}"), poison("ok")
    async with Sandbox(LIMITS, children=1) as sandbox:
        await sandbox.run("read_document", modest)
        first = {pid: born for pid, born in descendants(os.getpid()).items() if pid not in before}
        await sandbox.run("read_document", greedy)

        assert first_page_text(greedy) == "nothing wrong here"
        await wait_until(lambda: not alive(first))


async def test_a_child_that_reserved_no_more_than_documents_may_use_goes_on(poison: Poison) -> None:
    before = descendants(os.getpid()).keys()
    async with Sandbox(LIMITS, children=1) as sandbox:
        await sandbox.run("read_document", poison(f"reserve {MOST_MB}"))
        first = {pid: born for pid, born in descendants(os.getpid()).items() if pid not in before}
        await sandbox.run("read_document", poison("ok"))

        assert alive(first).keys() == first.keys()
