"""Where the kernel grants no namespaces, documents in one child are still apart."""

import asyncio
import json
import sys
from typing import Any

import pytest

from docsieve.tasks.read import ReadDocument
from tests.sandbox.conftest import Poison
from tests.sandbox.kernel.test_isolation import needs_landlock

pytestmark = pytest.mark.process

# In a user namespace of its own a process may forbid itself all others.
WORKER = """
import asyncio, ctypes, json, os, sys
from pathlib import Path
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks import registry
from docsieve.tasks.read import ReadDocument
from tests.sandbox.conftest import descendants, first_page_text

uid, gid = os.getuid(), os.getgid()
if ctypes.CDLL(None).unshare(0x10000000) != 0:
    sys.exit(77)
for name, content in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
    Path("/proc/self", name).write_text(content)
for kind in ("user", "pid", "net", "mnt"):
    Path(f"/proc/sys/user/max_{kind}_namespaces").write_text("0")

async def main():
    async with Sandbox(Limits(memory_mb=512), tasks=registry, children=1) as sandbox:
        idle, outcomes = None, []
        for source, pages, media_type in json.loads(sys.argv[1]):
            task = ReadDocument(Path(source), Path(pages), media_type)
            result = await sandbox.run(task)
            below = descendants(os.getpid())
            outcomes.append([first_page_text(task), result.pages.page_count, below == (idle or below)])
            idle = below
    print(json.dumps(outcomes))

asyncio.run(main())
"""


async def outcomes(*documents: ReadDocument) -> list[list[Any]]:
    """Text, number of pages, and whether no process was left, of one document after the other in one child."""
    given = [(str(each.source), str(each.pages), each.media_type) for each in documents]
    worker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", WORKER, json.dumps(given)), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await worker.communicate()
    if worker.returncode == 77:
        pytest.skip("the kernel grants no user namespace to forbid the others in")
    assert "sandbox_not_isolated" in said.decode()
    found: list[list[Any]] = json.loads(said.splitlines()[-1])
    return found


async def test_processes_that_a_document_left_are_dead_before_its_result_is_there(poison: Poison) -> None:
    found = await outcomes(poison("ok"), poison("daemon"), poison("impostor"), poison("slow 3"))

    assert [none_left for _, _, none_left in found] == [True] * 4
    assert found[-1][:2] == ["page1", 3]


async def test_what_a_document_changes_in_memory_is_gone_with_it(poison: Poison) -> None:
    assert [text for text, _, _ in await outcomes(poison("stain"), poison("stained"))] == [
        "nothing wrong here",
        "clean",
    ]


@needs_landlock
async def test_a_document_gets_at_no_process_that_it_sees(poison: Poison) -> None:
    assert [text for text, _, _ in await outcomes(poison("reach"))] == ["refused"]
